"""Stories written down: the script of a stretch of life, and the YAML files people write it in."""
