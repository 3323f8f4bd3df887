"""Long work with a progress bar on the page, and scores that are kept."""
