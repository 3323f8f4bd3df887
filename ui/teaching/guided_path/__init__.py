"""The guided path: short lessons with a live figure and a question."""
