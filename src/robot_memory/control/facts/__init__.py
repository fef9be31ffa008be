"""Claims as control compares them: what holds and what held, whether two values are one, and the times in them."""
