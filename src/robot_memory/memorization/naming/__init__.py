"""Names from speech: who says what they are called, who is introduced by others, and who is addressed by name."""
