"""Settings of pages, and the address that contains them."""
