"""The page Any measure, under Tune: a measure with one of its parameters varied."""
