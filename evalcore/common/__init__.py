"""What every part uses: arrays, progress, rounding, threads, writing, and how results show themselves."""
