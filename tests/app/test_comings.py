"""Sessions that come, upload, move and go leave nothing behind; `python -m benchmarks.comings` has 1,000 of them."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from protocol_support import SECONDS, Visitor, new_cookie

from benchmarks.comings import come_and_go, held
from browser_support import running_app


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="descriptors are counted in /proc")
def test_sessions_leave_no_descriptor_thread_or_file_behind(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL", "1")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    cookie = new_cookie()
    with running_app(tmp_path_factory.mktemp("log") / "app.log") as address:
        server = int(Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()[-1])
        for _ in range(3):
            come_and_go(Visitor(address, cookie))
        _, descriptors, threads, files = held(server, tmp_path)
        for _ in range(5):
            come_and_go(Visitor(address, cookie))
        end = time.monotonic() + SECONDS
        while held(server, tmp_path)[1] > descriptors and time.monotonic() < end:
            time.sleep(0.2)  # what ended last is still on its way
        assert held(server, tmp_path)[1] <= descriptors
        assert held(server, tmp_path)[2] <= threads + 3  # a pool has so many more at most
        assert held(server, tmp_path)[3] == files
