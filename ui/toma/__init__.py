"""The page TOMA, under Tune: labels placed in a plane, and the order of tuples of labels that results."""
