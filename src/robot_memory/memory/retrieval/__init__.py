"""Finding memories again: exact filters, several channels, one ranking, and why."""
