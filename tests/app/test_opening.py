"""Opening files is long work: it waits for its turn, has a deadline, and often checks whether it may continue."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import evalcore as ec
from app_support import an_app, press
from evalcore.common import own_process
from evalcore.common.progress import Progress, telling
from ui.computing import work
from ui.data import adding as adding_files
from ui.data import reading
from ui.server import browser_store, turns
from ui.server.browser_store import bytes_of
from ui.server.limits import LIMITS

RUNS = [
    (f"{name}.run", "\n".join(f"{topic} Q0 d{at} {at} {-at} r" for topic in range(5) for at in range(9)).encode())
    for name in "abcd"
]
QRELS = ("qrels.txt", b"\n".join(b"%d 0 d%d %d" % (topic, at, at % 2) for topic in range(5) for at in range(9)))


class OverError(Exception):
    """Error that stands for a person who stops the work."""


def opening() -> None:
    """An app that opens a file for a long time."""
    import time

    import streamlit as st

    from evalcore import InputError
    from evalcore.common.progress import checkpoint
    from ui.computing import work
    from ui.server import turns

    def read(tell):  # type: ignore[no-untyped-def]
        tell(0.25, "Reading *runs*")
        end = time.monotonic() + 50
        while time.monotonic() < end:
            checkpoint()
            time.sleep(0.01)
            if turns.turns()._computing:
                return "had its turn"
        return "had none"

    try:
        st.write(work.opening("Opening", read))
    except InputError as error:
        st.error(str(error))


def test_opening_files_has_a_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "LIMITS", replace(LIMITS, seconds=0.5))
    app = AppTest.from_function(opening, default_timeout=60).run()
    assert "only 25% of the work was done within the limit of 0.5 seconds" in app.error[0].value


def test_opening_files_takes_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "LONG", 0.4)
    app = AppTest.from_function(opening, default_timeout=60).run()
    assert app.markdown[0].value == "had its turn"
    assert turns.turns()._computing == {}


def test_a_reader_checks_after_every_file_whether_to_go_on() -> None:
    looks: list[float] = []
    with telling(looks.append):
        ec.load_files([QRELS, *RUNS])
    assert len(looks) > 2 * (1 + len(RUNS))


@pytest.mark.parametrize("after", [0, 5, 20])
def test_stopping_ends_the_reading_process(after: int) -> None:
    looks: list[float] = []

    def end(share: float) -> None:
        looks.append(share)
        if len(looks) > after:
            raise OverError

    with telling(end), pytest.raises(OverError):
        ec.load_files([QRELS, *RUNS])
    assert len(looks) == after + 1


@pytest.mark.threads
def test_watched_work_stays_in_its_thread() -> None:
    seen: set[int] = set()
    with telling(lambda share: seen.add(threading.get_ident())):
        ec.load_files([QRELS, *RUNS])
    assert seen == {threading.get_ident()}


def recorded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the labels of everything that is opened as work from now on."""
    begun: list[str] = []
    opened = work.opening

    def opening(label: str, read: Callable[[Progress], Any]) -> Any:
        begun.append(label)
        return opened(label, read)

    monkeypatch.setattr(work, "opening", opening)
    return begun


def test_problems_of_files_are_reported_while_they_are_chosen() -> None:
    app = an_app().run()
    wrong, right = [("photo.png", b"\x89PNG\r\n\0", "image/png")], [(*file, "text/plain") for file in (QRELS, *RUNS)]
    chosen: Any = app.file_uploader(key="upload files")
    press(chosen.set_value(wrong).run(), "Open")
    assert "photo.png" in app.error[0].value
    press(app, "Add to the open collection")
    assert ["found no known kind of file" in error.value for error in app.error] == [True]
    press(app, "Open")
    chosen.set_value(right).run()
    assert [error.value for error in app.error] == []
    opened = next(box for box in app.expander if box.label == "Open your own files")
    assert opened.proto.expanded  # as it was: else it would close while in use


# --- files that join what is open -------------------------------------------------------------------------------------

JOINS = [("mine.run", b"1 Q0 nobody 1 2 mine\n", "text/plain")]


def adding(monkeypatch: pytest.MonkeyPatch) -> tuple[AppTest, list[str]]:
    """Open the app on a preview of what a run would add; return also the labels of the work that was begun."""
    begun = recorded(monkeypatch)
    app = an_app().run()
    topic = app.session_state["open collection"].topics[0].encode()
    app.file_uploader(key="upload files").set_value([(JOINS[0][0], topic + JOINS[0][1][1:], JOINS[0][2])]).run()  # type: ignore[union-attr]
    return press(app, "Add to the open collection"), begun


@pytest.mark.slow
def test_added_files_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    app, begun = adding(monkeypatch)
    assert begun.count("Adding") == 1
    press(app.run(), "Add")
    assert begun.count("Adding") == 1
    assert "mine" in app.session_state["open collection"].systems


def test_files_that_take_too_long_to_add_are_not_retried_unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_slow(*arguments: object, **named: object) -> None:
        from evalcore.common.progress import checkpoint

        end = time.monotonic() + 30
        while time.monotonic() < end:
            checkpoint()
            time.sleep(0.01)

    monkeypatch.setattr(work, "LIMITS", replace(LIMITS, seconds=0.5))
    monkeypatch.setattr(reading, "added", too_slow)
    app, begun = adding(monkeypatch)
    before = app.session_state["open collection"]
    assert "within the limit of 0.5 seconds" in app.error[0].value
    assert "within the limit of 0.5 seconds" in app.run().error[0].value
    assert begun.count("Adding") == 1
    assert app.session_state["open collection"] is before
    press(app, "Add to the open collection")
    assert begun.count("Adding") == 2


def test_files_in_the_preview_count_towards_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[str] = []
    monkeypatch.setattr(browser_store, "put", lambda name, thing, files: counted.append(name))
    adding(monkeypatch)
    assert adding_files._JOINED in counted


# --- large uploads ----------------------------------------------------------------------------------------------------


@pytest.fixture
def apart_jobs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the jobs that are done in a separate process."""
    done: list[str] = []
    run = own_process.run

    def recorded(job: Callable[..., Any], *given: object, **named: Any) -> Any:
        done.append(job.__name__)
        return run(job, *given, **named)

    monkeypatch.setattr(own_process, "run", recorded)
    return done


def test_a_small_upload_is_read_in_the_server_process(apart_jobs: list[str]) -> None:
    assert reading.opened([QRELS, *RUNS], None, lambda share, text: None).systems == ("a", "b", "c", "d")
    assert apart_jobs == []


@pytest.mark.parametrize(("name", "most"), [("LARGE", 10), ("MOMENT", 0.0)])
def test_large_or_slow_uploads_are_read_in_a_separate_process(
    apart_jobs: list[str], monkeypatch: pytest.MonkeyPatch, name: str, most: float
) -> None:
    here = ec.load_files([QRELS, *RUNS])
    monkeypatch.setattr(reading, name, most)
    there = reading.opened([QRELS, *RUNS], None, lambda share, text: None)
    assert apart_jobs == ["read"]
    assert (there.fingerprint, there.systems) == (here.fingerprint, here.systems)


def test_data_read_in_the_separate_process_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    here = bytes_of(ec.load_files([QRELS, *RUNS]))
    monkeypatch.setattr(reading, "LARGE", 10)
    there = reading.opened([QRELS, *RUNS], None, lambda share, text: None)
    assert bytes_of(there) == pytest.approx(here, rel=0.2)
