"""The pages of Learn: the guided path, exercises, a class, worked examples, and the papers."""
