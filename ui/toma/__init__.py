"""What the page TOMA is made of: its controls, the plane of labels, closer looks."""
