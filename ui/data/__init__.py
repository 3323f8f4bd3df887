"""What is open, and what pages do with it."""
