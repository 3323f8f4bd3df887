"""Tune > Aspect weights: means of aspects under any weights."""
