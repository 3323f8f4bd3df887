"""Settings of pages, and the address that holds them."""
