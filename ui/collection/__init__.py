"""What the page Collection is made of: controls, the tables of labels and of their sources, saving a description."""
