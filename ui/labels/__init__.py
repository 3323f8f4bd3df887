"""The page Labels: whose labels, and what other ones would make of the ranking."""
