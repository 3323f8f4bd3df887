"""Coverage of intervals and errors of tests, on populations of topics whose truth is known."""
