"""Long lives to measure compression and consolidation on: months of days with habits, guests, facts and garbage."""
