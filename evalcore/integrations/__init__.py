"""Doors to other tools."""
