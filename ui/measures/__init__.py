"""TODO ui/measures."""
