"""Public collections of several aspects: the list, and downloads by HTTPS."""

from evalcore.data.public.entries import PublicCollection, public_collection, public_collections
from evalcore.data.public.fetching import Fetched, LeftOut, fetch

__all__ = [
    "Fetched", "LeftOut", "PublicCollection", "fetch", "public_collection", "public_collections",
]  # fmt: skip
