"""The published ways of searching, to compare ours with: M3-Agent's two tools and StreamMeCo's time-decay retrieval."""
