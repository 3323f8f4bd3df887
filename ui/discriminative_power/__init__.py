"""What the page Discriminative power is made of: its controls, pairs, systems that measures like."""
