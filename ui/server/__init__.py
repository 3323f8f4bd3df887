"""What the app does with its server: limits, turns, the door, what is kept for whom."""
