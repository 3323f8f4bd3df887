"""Tune > Aspect weights: combinations of aspects under any weights."""
