"""A corrected description: typed on the page, saved next to a folder, and in the code of a page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from app_support import an_app, correct, go_to, press
from evalcore.data.packing import zip_of
from ui.server import browser_store

FILES = {
    "one.run": "1 Q0 a 1 3 r\n1 Q0 b 2 2 r\n2 Q0 a 1 3 r\n",
    "two.run": "1 Q0 b 1 3 r\n1 Q0 a 2 2 r\n2 Q0 b 1 3 r\n",
    "qrels.txt": "1 0 a 0\n1 0 b 2\n2 0 a 1\n2 0 b 0\n",
    "qread.txt": "1 0 a 1\n1 0 b 3\n2 0 a 2\n2 0 b 1\n",
}
Start = Callable[..., AppTest]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / 'a "folder"'
    place.mkdir()
    for name, text in FILES.items():
        (place / name).write_text(text)
    return place


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch) -> Start:
    """Return a function that starts the app on folders, at a page, in a new browser."""
    shelves = browser_store.Shelves()
    monkeypatch.setattr(browser_store, "_shelves", lambda: shelves)

    def start(*folders: Path | str, page: str = "collection", browser: str | None = None) -> AppTest:
        monkeypatch.setattr(browser_store, "browser", lambda: browser)
        monkeypatch.setattr("sys.argv", ["app.py", *(part for one in folders for part in ("--data", str(one)))])
        app = an_app().run()
        return go_to(app, page).run()

    return start


def upload(app: AppTest, key: str = "upload files", open_: str = "Open") -> AppTest:
    sent = [(name, text.encode(), "text/plain") for name, text in FILES.items()]
    app.file_uploader(key=key).set_value(sent).run()
    return press(app, open_)


def opened(app: AppTest) -> Any:
    return app.session_state["open collection"]


def good(app: AppTest) -> str:
    end: str = opened(app).assessments.scales["understandability"].good
    return end


def labels(app: AppTest) -> list[str]:
    return [button.label for button in app.button]


# --- corrected --------------------------------------------------------------------------------------------------------


def test_undoing_a_correction_restores_the_original(start):
    app = correct(upload(start()))
    area = app.text_area[0]
    area.set_value((area.value or "").replace('"low"', '"high"')).run()
    assert press(app, "Read again").session_state["kept own collection"].correction is None


def test_a_typed_correction_does_not_replace_the_upload(start, folder):
    app = upload(start(folder, browser="bert"))
    mine = opened(app)
    app.selectbox(key="data").set_value(folder.name).run()
    correct(app)
    assert "reading again would replace your own files" in app.error[0].value
    app.selectbox(key="data").set_value("your files").run()
    assert opened(app) is mine


# --- as Python --------------------------------------------------------------------------------------------------------


def fingerprint(app: AppTest, monkeypatch: pytest.MonkeyPatch, here: Path) -> str:
    """Run a page's code in a folder; return the fingerprint of the collection that it opens."""
    code = next(block.value for block in reversed(app.code) if "import evalcore" in block.value)
    monkeypatch.chdir(here)
    names: dict[str, Any] = {}
    exec(code.partition("\n\n")[0] + "\n" + code.partition("\n\n")[2].partition("\n\n")[0], names)
    found: str = names["c"].fingerprint
    return found


PAGE = "understandability"


def test_python_code_opens_a_folder_by_its_name(start, folder, monkeypatch):
    monkeypatch.chdir(folder.parent)
    app = start(folder.name, page=PAGE)
    assert any(r'ec.load(here / "a \"folder\"")' in block.value for block in app.code)
    assert fingerprint(app, monkeypatch, folder.parent) == opened(app).fingerprint


def test_python_code_repeats_a_correction_of_a_folder(start, folder, monkeypatch):
    app = correct(start(folder, browser="anna"))
    go_to(app, PAGE).run()
    assert good(app) == "low"
    assert fingerprint(app, monkeypatch, folder) == opened(app).fingerprint


@pytest.mark.slow
def test_python_code_of_an_upload_starts_from_its_download(start, monkeypatch, tmp_path):
    app = correct(upload(start(browser="anna")))
    go_to(app, PAGE).run()
    code = next(block.value for block in reversed(app.code) if "import evalcore" in block.value)
    assert 'ec.load(here / "your-files.zip")  # downloaded below, or on the Data page' in code
    files = [(name, text.encode()) for name, text in FILES.items()]
    (tmp_path / "your-files.zip").write_bytes(zip_of(files, opened(app).manifest))
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(code, names)
    assert names["c"].manifest == opened(app).manifest
