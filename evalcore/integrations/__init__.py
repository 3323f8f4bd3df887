"""TODO evalcore/integrations."""
