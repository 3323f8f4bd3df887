"""What the page Correlations is made of: its settings, its matrix, and what stands below it."""
