"""How often intervals cover the truth, and tests err, on populations of topics whose truth is known."""
