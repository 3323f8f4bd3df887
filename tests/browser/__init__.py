"""A package, so that what its files share is made once for each worker, and ends with the last of them."""
