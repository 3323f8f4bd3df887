"""Explanations that fold to one line once a page was visited; the browser remembers which, see folds.js."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from ui.address import settings
from ui.widgets.component import component

_COUNT = "explanations on the screen"
_mount = component(
    "fold",
    __file__,
    '<button type="button" class="fold" aria-expanded="true">'
    '<svg viewBox="0 0 24 24" width="16" height="16" fill="none" stroke="currentColor" stroke-width="2.5" '
    'aria-hidden="true"><path d="M9 5l7 7-7 7" /></svg>What you see, how to read it, what to try next</button>',
)


def begin() -> None:
    """A run of a page begins: nothing is explained yet."""
    st.session_state[_COUNT] = 0


@contextmanager
def folding() -> Iterator[None]:
    """What is drawn inside, as one block, can be folded, and with it all such of the page."""
    page, count = settings.page(), st.session_state.get(_COUNT, 0)
    st.session_state[_COUNT] = count + 1
    with st.container(key=f"explained {page} {count}", gap="xsmall"):
        _mount(key=f"fold {page} {count}", data={"page": page})
        yield
