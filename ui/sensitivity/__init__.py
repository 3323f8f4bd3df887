"""Tune > Any measure."""
