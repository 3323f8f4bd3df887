"""What the page Aspect weights is made of: its controls and closer looks."""
