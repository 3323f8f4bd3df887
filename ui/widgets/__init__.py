"""TODO ui/widgets."""
