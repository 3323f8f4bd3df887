"""What the page Topic is made of: its controls."""
