"""Parts of measures: gains, discounts, normalisers, and hits with their ranks."""
