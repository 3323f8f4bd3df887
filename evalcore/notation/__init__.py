"""TODO evalcore/notation."""
