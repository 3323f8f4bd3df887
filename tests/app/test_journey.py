"""The journey of rho (docs/architecture.md): a release of a slider does what the slider changes, and little else."""

from __future__ import annotations

import threading
from types import FrameType

from streamlit.testing.v1 import AppTest

from app_support import ROOT, open_app
from ui.data.as_python import BOX
from ui.shell.this_view import CITE_BOX

MOST_FILES = 92
NOT_ASKED_FOR = {
    "evalcore/citation.py",  # of Cite this view, which is closed
    "ui/stage/report_sliders.py",  # of a report, which is not downloaded
    "evalcore/data/system_table.py",  # of the filter and the colours, which stay as they are
}


def release(app: AppTest, rho: float) -> set[str]:
    """The files of the project whose functions a release enters."""
    files = set[str]()

    def entered(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            files.add(frame.f_code.co_filename)

    app.slider(key="understandability.rho").set_value(rho)
    threading.setprofile(entered)
    try:
        app.run()
    finally:
        threading.setprofile(None)
    ours = (ROOT / "app.py", ROOT / "pages", ROOT / "ui", ROOT / "evalcore")
    return {name.removeprefix(f"{ROOT}/") for name in files if name.startswith(tuple(map(str, ours)))}


def test_a_release_of_rho_enters_no_room_for_nothing() -> None:
    app = open_app("understandability")
    app.session_state[BOX] = app.session_state[CITE_BOX] = False
    release(app, 0.7)
    files = release(app, 0.62)
    assert not app.exception
    assert not files & NOT_ASKED_FOR
    assert len(files) <= MOST_FILES, sorted(files)
