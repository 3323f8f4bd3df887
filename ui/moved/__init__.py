"""The page Who moved: its settings and its three steps."""
