"""TODO evalcore/structures."""
