"""TODO ui/home."""
