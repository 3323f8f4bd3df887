"""Figures of labels: comparison of judges, contents of a pool, combined scores."""
