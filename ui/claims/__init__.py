"""The page Claim: its controls, its cached scores, and the sections below the figure."""
