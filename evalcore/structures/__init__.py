"""Data structures of measures: the pool of assessments with the rankings over it, passages, links of components."""
