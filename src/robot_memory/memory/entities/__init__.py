"""Faces and voices: which known one is this, and what each has been seen or heard to be like."""
