"""What the page Data is made of: controls, the tables of labels and of their sources, saving a description."""
