"""What the page Navigation is made of: its controls, what is computed, closer looks."""
