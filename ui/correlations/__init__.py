"""The page Correlations: its settings, its matrix, and the parts below it."""
