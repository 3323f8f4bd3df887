"""Messages of Streamlit's protocol at random, beside a visitor who has files: nothing of hers may change."""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from random import Random

from benchmarks.timing import ROOT, say

EACH = 5000  # messages between two looks at what she has
PAGES = ("", "understandability", "collection")
RAISED = ("Traceback", "Uncaught")


def run(count: int, seed: int) -> bool:
    """Send so many messages; whether nothing of hers changed, and nothing was raised."""
    sys.path.insert(0, str(ROOT / "tests"))
    from fuzz import messages
    from protocol_support import Visitor

    from browser_support import running_app

    def has(address: str, cookie: str) -> list[str]:
        again = Visitor(address, cookie)
        try:
            return [again.run(page, data="your files").seen() for page in PAGES]
        finally:
            again.close()

    log, begun = Path(tempfile.mkdtemp(prefix="messages-")) / "app.log", time.perf_counter()
    random, done, same = Random(seed), 0, True
    with running_app(log) as address:
        anna = Visitor(address).run().upload()
        before = has(address, anna.cookie)
        while done < count and same:
            known = [anna.session, anna.navigation, *anna.widgets.values()]
            done += messages.sent(address, random, min(EACH, count - done), known)
            same = has(address, anna.cookie) == before
            say(f"messages: {done:,}")
        anna.close()
    raised = sum(log.read_text(errors="replace").count(one) for one in RAISED)
    seconds = time.perf_counter() - begun
    changed = "nothing" if same else "something"
    print(f"{done:,} messages in {seconds:.0f} s: {changed} of another visitor's changed, {raised} exceptions ({log})")
    return same and not raised
