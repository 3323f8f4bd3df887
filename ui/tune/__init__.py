"""Views shared by all pages of Tune: a measure against a different one, along one parameter, and over a map of two."""
