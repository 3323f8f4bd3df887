"""Shared tools: arrays, progress, rounding, threads, writing of files, short displays of results."""
