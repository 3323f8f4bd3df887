"""What the page Labels is made of: one module for each look."""
