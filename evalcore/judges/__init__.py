"""Whose labels? What another judge's labels do to scores and to the ranking of systems."""
