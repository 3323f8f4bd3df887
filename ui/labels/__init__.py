"""The looks of the page Labels, one module each: whose labels, and whose pool."""
