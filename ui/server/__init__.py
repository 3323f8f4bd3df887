"""The server of the app: limits, turns, the door, and things kept for browsers."""
