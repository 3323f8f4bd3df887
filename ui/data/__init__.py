"""The open collection, and what pages do with it."""
