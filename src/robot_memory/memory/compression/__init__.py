"""Which memories stay at hand, which go to the archive, and which are let go."""
