"""Bad bags and bad messages made on purpose, each from a seed."""
