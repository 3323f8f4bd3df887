"""Parts of the page Topic."""
