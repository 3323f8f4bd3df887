"""What the families of Tune share: the measure against another one, along a parameter, on a map of two."""
