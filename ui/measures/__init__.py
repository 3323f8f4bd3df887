"""What the page Measures is made of: a measure built of parts."""
