"""TODO evalcore/measures/focused."""
