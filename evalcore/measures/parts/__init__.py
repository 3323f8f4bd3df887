"""TODO evalcore/measures/parts."""
