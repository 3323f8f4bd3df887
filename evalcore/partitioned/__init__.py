"""Collections kept in parts: Parquet files by topic, opened and scored one part at a time, here or on a cluster."""

from evalcore.partitioned.collection import PartitionedCollection, open_partitions
from evalcore.partitioned.files import is_partitioned
from evalcore.partitioned.writing import partition

__all__ = ["PartitionedCollection", "is_partitioned", "open_partitions", "partition"]
