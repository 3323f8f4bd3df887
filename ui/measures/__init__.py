"""Tune > Build a measure: a measure made of a gain, a discount and a normaliser."""
