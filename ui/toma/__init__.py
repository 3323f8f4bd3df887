"""Tune > TOMA: labels in a plane, and the order that they make."""
