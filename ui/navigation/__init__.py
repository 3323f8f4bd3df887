"""The page Links: its settings, figures, the paper's examples, and its step of the guided path."""
