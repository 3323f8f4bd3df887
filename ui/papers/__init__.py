"""TODO ui/papers."""
