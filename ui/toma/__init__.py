"""Tune > TOMA: labels placed in a plane, and the order of tuples that results."""
