"""Notation: measures and parameters as text, as values, and as formulas that can be computed."""
