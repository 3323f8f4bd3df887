"""What measures are made of: gains, discounts, normalisers, and hits with their ranks."""
