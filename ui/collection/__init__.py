"""What the page Collection is made of: its controls, the table of labels, saving a description."""
