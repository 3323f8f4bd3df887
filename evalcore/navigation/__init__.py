"""Effort-precision and gain-recall with a probabilistic navigation model, and the measures related to them."""
