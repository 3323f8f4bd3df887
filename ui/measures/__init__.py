"""Tune > Build a measure: of a gain, a discount and a normaliser."""
