"""The page Readability, under Tune: RBP against uRBP."""
