"""The views of the page Sensitivity: each draws its controls on the left, its figure on the right, the rest below."""
