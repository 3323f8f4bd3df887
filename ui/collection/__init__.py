"""TODO ui/collection."""
