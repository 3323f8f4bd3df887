"""Sessions that come, upload, move and go: what of memory, descriptors, threads and files they leave behind.

`python -m benchmarks.comings [--sessions 1000]`.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
from pathlib import Path

from benchmarks.tables import Table, number
from benchmarks.timing import ROOT, say

LOOKS = 10
HEADING = ("sessions", "MB", "descriptors", "threads", "files")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.comings", description=__doc__)
    parser.add_argument("--sessions", type=int, default=1000)
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args()
    sys.path.insert(0, str(ROOT / "tests"))
    from browser_support import running_app

    os.environ["STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL"] = "1"
    with tempfile.TemporaryDirectory(prefix="comings-") as folder:
        os.environ["TMPDIR"], os.environ["EVALCORE_CACHE"] = folder, f"{folder}/cache"
        with running_app(Path(folder) / "app.log") as address:
            server = int(Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()[-1])
            rows = measured(address, server, Path(folder), options.sessions)
    shown = [[f"{row[0]:,}", *map(number, row[1:])] for row in rows]
    print(Table("What sessions leave behind", HEADING, shown).text(options.markdown))


def measured(address: str, server: int, folder: Path, count: int) -> list[tuple[int, float, int, int, int]]:
    """What the server holds, at ten places on the way."""
    from protocol_support import Visitor, new_cookie

    cookies, rows = [new_cookie() for _ in range(20)], []
    for at in range(count + 1):
        if at % max(count // LOOKS, 1) == 0:
            say(f"comings: {at:,}")
            rows.append((at, *held(server, folder)))
        come_and_go(Visitor(address, cookies[at % len(cookies)]))
    return rows


def come_and_go(visitor: object) -> None:
    """A visit."""
    visitor.run().upload()  # type: ignore[attr-defined]
    visitor.run("understandability", data="your files").run("collection")  # type: ignore[attr-defined]
    visitor.close()  # type: ignore[attr-defined]


def held(server: int, folder: Path) -> tuple[float, int, int, int]:
    """Megabytes, descriptors, threads and files of a process."""
    status = Path(f"/proc/{server}/status").read_text()
    memory, threads = (int(re.findall(rf"{name}:\s+(\d+)", status)[0]) for name in ("VmRSS", "Threads"))
    files = sum(path.is_file() for path in folder.rglob("*"))
    return memory / 1000, len(os.listdir(f"/proc/{server}/fd")), threads, files


if __name__ == "__main__":
    main()
