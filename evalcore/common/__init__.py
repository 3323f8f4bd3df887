"""Tools that every part uses: arrays, progress, rounding, threads, writing, short displays of results."""
