"""`--scheduler`: where collections in parts are scored."""

from __future__ import annotations

import argparse
import atexit
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evalcore.scale.cluster import Cluster

LOCAL = "local"
_connected: dict[str, Cluster] = {}


def asked_for(options: argparse.Namespace) -> Cluster | None:
    """The cluster that --scheduler names, until the command ends; None without one. Raises InputError."""
    address = getattr(options, "scheduler", None)
    if address is None:
        return None
    if address not in _connected:
        import logging

        from evalcore.scale.cluster import connect

        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what went wrong is said in our words
        _connected[address] = connect(None if address == LOCAL else address)
        atexit.register(forget)
    return _connected[address]


def forget() -> None:
    """Leave all clusters; local workers end."""
    while _connected:
        _connected.popitem()[1].close()
