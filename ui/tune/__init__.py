"""Views shared by the families of Tune: the measure against another one, along a parameter, on a map of two."""
