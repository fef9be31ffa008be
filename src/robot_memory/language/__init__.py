"""Language: text embedders now; chat models, grammars and the model broker later."""
