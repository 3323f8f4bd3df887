"""Controls and the three steps of the page Who moved."""
