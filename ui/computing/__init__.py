"""Long work in place, and scores that are kept."""
