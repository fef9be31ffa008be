"""What is said, as claims: who or what, which attribute, which value, and whether it is so."""
