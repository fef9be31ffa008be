"""Models: which weights a profile needs, where they come from, whether their bytes are right, where they lie.

`load_profile("cpu").model("face_detection").path()` is all that perception needs to know. Nothing here loads a
model, and nothing touches the network but `fetch`. Bytes are trusted, never packages or hosts: docs/models.md.
"""
