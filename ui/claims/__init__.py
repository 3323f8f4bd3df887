"""What the page Claim is made of: its controls, its kept scores, and what stands under the curve."""
