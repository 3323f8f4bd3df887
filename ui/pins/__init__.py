"""TODO ui/pins."""
