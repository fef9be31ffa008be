"""What a sentence is worth at the moment it is remembered, 0 to 1, why, and what questions have taught about that."""
