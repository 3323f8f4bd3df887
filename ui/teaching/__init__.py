"""The pages for learning: the guided path, exercises, worked examples, papers."""
