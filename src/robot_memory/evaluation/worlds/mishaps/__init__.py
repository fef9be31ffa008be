"""What real eyes and ears would make of a world: the oracle's stream with seeded errors, each at a stated rate."""
