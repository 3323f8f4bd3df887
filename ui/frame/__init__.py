"""TODO ui/frame."""
