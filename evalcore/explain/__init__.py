"""TODO evalcore/explain."""
