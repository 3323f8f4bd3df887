"""What the page Correlations is made of: its setting and closer looks."""
