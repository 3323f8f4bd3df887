"""The kinds of files of navigation: tests that recognise them, readers, and positions among all kinds.

The `read` of each kind gets a source; for links it returns an EdgeList, for components a ComponentTable.
"""

from __future__ import annotations

from evalcore.data.file_kind import Kind, Look
from evalcore.navigation.graph_files import graph_kind, read_components, read_links


def _graph(look: Look) -> str | None:
    return graph_kind(look.source.name, look.head)


KINDS = (
    ("scores", Kind("links", "links", lambda look: _graph(look) == "links", read_links)),
    ("scores", Kind("components", "components", lambda look: _graph(look) == "components", read_components)),
)
