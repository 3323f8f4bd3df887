"""Views shared by all pages of Tune: the measure against another, along one parameter, and over a map of two."""
