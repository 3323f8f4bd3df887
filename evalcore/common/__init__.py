"""Shared tools: arrays, progress, rounding, threads, writing, short displays of results."""
