"""Data structures that measures read: the pool of assessments, its sources of labels, and the rankings over it."""
