"""What the page Focused retrieval is made of: its controls and figures."""
