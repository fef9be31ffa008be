"""The one SQLite file: its tables and their versions, who may write, what is done when it is damaged, copies of it."""
