"""What the first visit would wait for, done once the server is there, while a browser still loads scripts."""

from __future__ import annotations

import gc
import importlib
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from evalcore import threads
from ui.frame import network
from ui.widgets import library


@asynccontextmanager
async def lifespan(app: object) -> AsyncIterator[None]:
    """Say where the app is, and get ready."""
    async with network.told(app):
        if threads.can_start():
            threading.Thread(target=get, name="getting ready", daemon=True).start()
        yield


def get() -> None:
    """Import all that pages take, and pack plotly.js."""
    from ui.widgets import settings  # not before a server runs: components say to it that they are there

    settings.load()
    importlib.import_module("streamlit.emojis")  # it looks for one in front of each label that is not ASCII
    library.packed()
    gc.freeze()  # what is imported stays: the collector need not look through it in the middle of a run
