"""What the page Pins is made of: its controls."""
