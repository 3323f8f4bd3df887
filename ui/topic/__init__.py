"""TODO ui/topic."""
