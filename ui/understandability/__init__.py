"""What the page Understandability is made of: its controls and closer looks."""
