"""What the page Papers is made of: its controls."""
