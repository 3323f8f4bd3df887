"""Parts of the page Worked examples: each example, and arithmetic written out."""
