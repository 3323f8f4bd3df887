"""The views of the page Labels, one module each, with their settings."""
