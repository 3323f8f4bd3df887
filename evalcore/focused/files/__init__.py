"""Focused retrieval: highlighted text and runs of document parts, from files to `Passages`."""
