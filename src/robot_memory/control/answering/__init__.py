"""From what was found to an answer in plain words, one page for each family of wishes."""
