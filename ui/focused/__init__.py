"""The page Passages: its settings, figures, a reader of documents, and its step of the guided path."""
