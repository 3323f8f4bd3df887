"""The server of the app: limits, turns, its guards, and data kept for browsers."""
