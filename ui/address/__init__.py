"""Settings, and the address that says them."""
