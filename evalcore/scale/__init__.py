"""Collections kept in parts: Arrow files by topic, opened and scored one part at a time, here or on a cluster."""

from evalcore.data.store import is_partitioned
from evalcore.scale.collection import PartitionedCollection, open_partitions
from evalcore.scale.writing import partition

__all__ = ["PartitionedCollection", "is_partitioned", "open_partitions", "partition"]
