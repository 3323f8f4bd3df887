"""The page Claim: its controls, its kept scores, and the parts under the figure."""
