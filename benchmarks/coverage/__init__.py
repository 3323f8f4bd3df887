"""Coverage of intervals and error rates of tests, on populations of topics with known truth."""
