"""Preparations made when the server starts, while a browser still loads scripts, so that the first visit is fast."""

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

LOOK = 5.0  # seconds between checks of sessions whose browser has left


@asynccontextmanager
async def lifespan(app: object) -> AsyncIterator[None]:
    """Print the app's address when the server starts, check the guards, and start the preparations."""
    async with network.saying_where(app), sessions_ended():
        if lacking := unguarded():
            network.close(lacking)
        if threads.can_start():
            threading.Thread(target=get, name="getting ready", daemon=True).start()
        yield


@asynccontextmanager
async def sessions_ended() -> AsyncIterator[None]:
    """End sessions whose browser left too long ago, regularly while the context is open, even if nobody visits."""
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
    """Import everything that pages need, and compress plotly.js, before the first visit."""
    from ui.address import settings  # only after the server has started, because components register with it

    settings.load()
    importlib.import_module("streamlit.emojis")  # used for each label that does not begin with ASCII
    library.packed()
    gc.freeze()  # the garbage collector then ignores imported objects
