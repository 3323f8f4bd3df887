"""The page Home: its figure and its links."""
