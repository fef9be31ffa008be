"""Opens the text embedder of a profile, whichever kind it is: the model's files tell."""

from __future__ import annotations

from robot_memory.errors import SettingsInvalid
from robot_memory.language.embedder import StaticEmbedder, TextEmbedder
from robot_memory.language.sentence import SentenceEmbedder
from robot_memory.models.manifest import Model


def open_text_embedder(model: Model) -> TextEmbedder:
    """The embedder that reads the model's files: a network (.onnx) or a static table (.safetensors).

    Raises ModelMissing or ModelCorrupt, and SettingsInvalid for files of another kind.
    """
    endings = {file.name.rpartition(".")[2] for file in model.files}
    if "onnx" in endings:
        return SentenceEmbedder(model)
    if "safetensors" in endings:
        return StaticEmbedder(model)
    raise SettingsInvalid(
        f"the profile '{model.profile}' names for {model.role} a model without a .onnx or .safetensors file "
        f"('{model.name}'): choose another model"
    )
