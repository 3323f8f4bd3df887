"""TODO ui/focused_retrieval."""
