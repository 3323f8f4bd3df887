"""What the page Worked examples is made of: each example, and arithmetic written out."""
