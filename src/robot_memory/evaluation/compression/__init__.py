"""What forgetting costs: compressors beside each other on LoCoMo, worlds and long lives, at equal numbers kept."""
