"""What the page Home is made of: its pictures."""
