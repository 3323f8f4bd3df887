"""The page TOMA, under Tune: labels placed in a plane, and the resulting order of tuples of labels."""
