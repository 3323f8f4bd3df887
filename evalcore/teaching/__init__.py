"""Material for learning: exercises, and papers whose numbers are recomputed."""
