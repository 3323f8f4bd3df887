"""Foreign text (names from files) made harmless where Streamlit reads Markdown."""

from __future__ import annotations

import re

_ACTIVE = re.compile(r"([\\`*_{}\[\]()#+!|~<>$:&^=-])")


def markdown(text: object) -> str:
    r"""Show text as it is in Markdown: nothing is interpreted, lines are joined.

    >>> markdown("*a* $b$")
    '\\*a\\* \\$b\\$'
    """
    return _ACTIVE.sub(r"\\\1", " ".join(str(text).split()))
