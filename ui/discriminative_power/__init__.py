"""The pages Pairs, Topics needed and Top documents: their settings, tests and figures."""
