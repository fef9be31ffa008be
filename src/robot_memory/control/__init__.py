"""Control: from a question to an answer with evidence, or to an honest "I don't know"."""
