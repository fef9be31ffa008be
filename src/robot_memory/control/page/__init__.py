"""A memory as one page to look at: people, the day, what was told, and answers that say why; from a store alone."""
