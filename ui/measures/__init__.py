"""Tune > Build a measure: from a gain, a discount and a normaliser."""
