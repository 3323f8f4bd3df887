"""The path of rho through the code (docs/architecture.md): a slider's release computes little beyond its effects."""

from __future__ import annotations

import threading
from collections import Counter
from types import FrameType

from streamlit.testing.v1 import AppTest

from app_support import BOXES, ROOT, alone, open_app

NEW = {"files": 65, "calls": 5000}  # at most, at a place of the slider that was not seen before, and...
SEEN = {"files": 36, "calls": 1100}  # ...at one that was
NOT_ASKED_FOR = {
    "evalcore/citation.py",  # of Cite this view, which is closed
    "ui/shell/report_box.py",  # of a report, which is closed
    "ui/stage/report_sliders.py",
    "ui/data/as_python.py",  # of the code, which is closed
    "ui/data/filter.py",  # what stands around the page stays as it is
    "ui/shell/missing_files.py",
    "evalcore/data/system_table.py",  # of the filter and the colours
}


def release(app: AppTest, rho: float) -> Counter[str]:
    """Count the function calls after the release of a slider, by file of the project."""
    calls = Counter[str]()

    def entered(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            calls[frame.f_code.co_filename] += 1

    app.slider(key="understandability.rho").set_value(rho)
    with alone(app):
        threading.setprofile(entered)
        try:
            app.run()
        finally:
            threading.setprofile(None)
    assert not app.exception
    ours = tuple(str(ROOT / place) for place in ("app.py", "pages", "ui", "evalcore"))
    return Counter({name.removeprefix(f"{ROOT}/"): count for name, count in calls.items() if name.startswith(ours)})


def test_releasing_a_slider_runs_few_files_and_calls() -> None:
    app = open_app("understandability")
    for box in BOXES:
        app.session_state[box] = False
    app.run()
    release(app, 0.7)
    new, seen = release(app, 0.62), release(app, 0.7)
    for calls, most in ((new, NEW), (seen, SEEN)):
        assert not calls.keys() & NOT_ASKED_FOR
        assert len(calls) <= most["files"], sorted(calls)
        assert calls.total() <= most["calls"], calls.most_common(20)
