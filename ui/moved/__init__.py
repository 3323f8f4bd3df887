"""What the page Who moved is made of: its controls and its three steps."""
