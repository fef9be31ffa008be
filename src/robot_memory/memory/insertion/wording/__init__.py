"""How what is said is put: words, numbers, amounts and times, each in one form whatever its wording."""
