"""Long work with a progress bar on the page, and cached scores."""
