"""Tune > Readability: RBP against uRBP."""
