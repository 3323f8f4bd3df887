"""What the page Focused retrieval is made of: its controls, figures, and reading what was returned."""
