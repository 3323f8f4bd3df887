"""The open collection: its files, its filter, and the Python code that opens it."""
