"""Preparations that would delay the first visit, made once the server runs, while a browser still loads scripts."""

from __future__ import annotations

import asyncio
import gc
import importlib
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from evalcore.common import threads
from ui.server import library, network
from ui.server.streamlit_inside import own_sessions, unguarded

LOOK = 5.0  # seconds between two looks at sessions that were left


@asynccontextmanager
async def lifespan(app: object) -> AsyncIterator[None]:
    """Announce where the app is, and start the preparations."""
    async with network.saying_where(app), sessions_ended():
        if lacking := unguarded():
            network.close(lacking)
        if threads.can_start():
            threading.Thread(target=get, name="getting ready", daemon=True).start()
        yield


@asynccontextmanager
async def sessions_ended() -> AsyncIterator[None]:
    """End sessions that were left, even while nobody visits."""
    left = own_sessions()

    async def look() -> None:
        while True:
            await asyncio.sleep(LOOK)
            left.end_old()

    task = asyncio.create_task(look(), name="left sessions")
    try:
        yield
    finally:
        task.cancel()


def get() -> None:
    """Import all that pages need, and pack plotly.js."""
    from ui.address import settings  # only after the server has started: components register with it

    settings.load()
    importlib.import_module("streamlit.emojis")  # it looks for one in front of each label that is not ASCII
    library.packed()
    gc.freeze()  # imports stay: the garbage collector need not scan them in the middle of a run
