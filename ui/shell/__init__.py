"""The parts of the app around every page."""
