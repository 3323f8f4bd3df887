"""The server of the app: limits, turns, its guard, and data kept for browsers."""
