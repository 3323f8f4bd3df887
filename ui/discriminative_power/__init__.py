"""TODO ui/discriminative_power."""
