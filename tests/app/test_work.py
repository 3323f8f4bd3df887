"""Long work of the app: it asks for consent, waits for its turn, has a deadline, and ends with its tab."""

from __future__ import annotations

import dataclasses
import threading
import time
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import streamlit as st
from streamlit.runtime.scriptrunner import StopException
from streamlit.testing.v1 import AppTest

from app_support import open_app
from evalcore.common.progress import checkpoint, telling
from ui.computing import work
from ui.screen.calls import call
from ui.server import turns
from ui.server.limits import LIMITS, AppLimits
from ui.server.turns import Turns, Used

GAINS = "{" + ",".join(f"{grade}:{grade}" for grade in range(480)) + "}"
WIDE = f"CAM([{', '.join(['PRUM'] * 41)}])"


class Clock:
    """A clock that advances only when work is done or somebody sleeps.

    Threads that already exist, such as one that still draws for an earlier test, see the real time.
    """

    def __init__(self) -> None:
        self.now, self.slept = 0.0, 0.0
        self._others = set(threading.enumerate()) - {threading.current_thread()}

    def monotonic(self) -> float:
        return time.monotonic() if threading.current_thread() in self._others else self.now

    def thread_time(self) -> float:
        return time.thread_time()

    def sleep(self, seconds: float) -> None:
        if threading.current_thread() in self._others:
            time.sleep(seconds)
            return
        self.now += seconds
        self.slept += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Use a test clock for long work; a script finds it as `work.clock`."""
    found = Clock()
    monkeypatch.setattr(work, "time", found)
    monkeypatch.setattr(work, "clock", found, raising=False)
    monkeypatch.setattr(turns, "time", found)
    return found


def limited(monkeypatch: pytest.MonkeyPatch, **limits: float) -> None:
    monkeypatch.setattr(work, "LIMITS", dataclasses.replace(LIMITS, **{"ask": 30.0, "seconds": 600.0, **limits}))


def steps() -> None:
    """Script with work of 100 steps; the session contains the time of a step, and of some slow first steps."""
    from typing import Any  # noqa: F401  (the script has no other imports)

    import streamlit as st

    from ui.computing import work

    def job(tell: Any) -> str:
        slow = st.session_state["slow"]
        for at in range(100):
            work.clock.now += slow[at] if at < len(slow) else st.session_state["each"]  # type: ignore[attr-defined]
            tell((at + 1) / 100)
        return "done"

    asked = st.session_state.asked if "asked" in st.session_state else None
    st.text(work.results("x", "Counting", {st.session_state["name"]: job}, asked).get(st.session_state["name"], "not"))


def opened(name: str, each: float, **state: Any) -> AppTest:
    app = AppTest.from_function(steps)
    app.session_state["name"], app.session_state["each"], app.session_state["slow"] = name, each, []
    for key, value in state.items():
        app.session_state[key] = value
    app.run()
    assert not app.exception
    return app


def test_short_work_is_done_without_asking(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    limited(monkeypatch)
    app = opened("short", 0.29)  # 29 s
    assert (app.text[0].value, len(app.info)) == ("done", 0)


def test_long_work_asks_for_consent_after_a_few_steps(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    limited(monkeypatch)
    app = opened("long", 0.4)
    assert app.text[0].value == "not"
    assert app.info[0].value == "Counting takes about 40 s. Continue?"  # 100 steps of 0.4 s
    assert clock.now < 2


def test_work_is_done_after_consent(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    limited(monkeypatch)
    app = opened("agreed", 0.4)
    assert app.run().text[0].value == "not"  # nothing begins by itself
    app.button(key="x go on").click().run()
    assert (app.text[0].value, len(app.info)) == ("done", 0)


def test_consent_to_one_work_does_not_cover_another(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    limited(monkeypatch)
    app = opened("one", 0.4)
    app.button(key="x go on").click().run()
    app.session_state["name"] = "another"
    assert "Continue?" in app.run().info[0].value


@pytest.mark.parametrize("paces", [(0.35,) * 3, (0.2, 0.1, 0.35, 0.5)])
def test_slow_first_steps_do_not_trigger_a_question(
    paces: tuple[float, ...], clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    limited(monkeypatch)
    assert opened("warming up", 0.01, slow=list(paces)).text[0].value == "done"
    assert clock.now < 3


def test_the_estimated_seconds_are_those_that_it_takes(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    limited(monkeypatch)
    assert opened("even", 0.8).info[0].value == "Counting takes about 80 s. Continue?"
    assert "about 50 s" in opened("slow at first", 0.5, slow=[1.0]).info[0].value


def test_progress_accounts_for_jobs_of_different_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs of zero, ten and thirty steps: the first is refused at once, each step of the others is one fortieth."""
    told: list[float] = []
    monkeypatch.setattr(work._Work, "tell", lambda job, share: told.append(share))

    def job(steps: int, tell: Callable[[float], object]) -> int:
        for step in range(steps):
            tell((step + 1) / steps)
        return steps

    sizes = {"refused": 0, "small": 10, "large": 30}
    jobs: dict[Any, Any] = {name: partial(job, steps) for name, steps in sizes.items()}
    assert work.results("x", "Counting", jobs, cache=work.ResultCache(), sizes=sizes) == sizes
    assert told == pytest.approx(np.arange(1, 41) / 40)


def test_a_falling_share_starts_a_new_part(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight steps of one part, then the first step of a second part, which at the combined pace would take minutes."""
    begun = work._Work("x", "Counting", None, [])
    monkeypatch.setattr(begun, "check", lambda: None)
    for share in (*np.linspace(0.125, 1, 8), 0.13):
        clock.now += 0.25
        begun.tell(share)
    assert begun._estimate(begun._worked) == 0


def test_functions_report_their_progress() -> None:
    def slow(tell: Callable[[float], object] = print) -> str:
        checkpoint(1.0)  # a part of it is done
        tell(0.5)
        return "done"

    shares: list[float] = []
    parts: list[float] = []
    with telling(parts.append):
        work.computing(call("made", slow), "tell")(shares.append)
    assert (shares, parts) == ([0.5], [1.0])


def test_work_ends_at_its_deadline_and_names_the_setting(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    limited(monkeypatch, ask=float("inf"), seconds=60)
    app = opened("endless", 1.0)
    assert app.text[0].value == "not"
    assert "within the limit of 60 seconds" in app.info[0].value
    assert "EVALCORE_LIMITS" in app.info[0].value
    assert clock.now < 62


def test_work_beyond_a_limit_does_not_start(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    limited(monkeypatch)
    app = opened("too much", 0.4, asked={"memory": 5000.0})
    assert app.text[0].value == "not"
    assert "at most 1,000 MB for the results, found 5,000" in app.error[0].value.replace("\\", "")
    assert clock.now == 0


# --- the end of a tab -------------------------------------------------------------------------------------------------


def session(monkeypatch: pytest.MonkeyPatch, active: bool) -> None:
    """Simulate a run in a session that still exists, or that has ended."""
    monkeypatch.setattr(turns, "get_script_run_ctx", lambda: SimpleNamespace(session_id="one"))
    server = SimpleNamespace(is_active_session=lambda name: active and name == "one")
    monkeypatch.setattr(turns, "runtime", SimpleNamespace(exists=lambda: True, get_instance=lambda: server))


def test_a_run_ends_when_its_tab_is_gone(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    session(monkeypatch, active=False)
    begun = work._Work("x", "Counting", None, [])
    begun.tell(0.1)  # within the first moment nobody looks
    clock.now += 1
    with pytest.raises(StopException):
        begun.tell(0.2)


def test_a_run_goes_on_while_its_tab_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    session(monkeypatch, active=True)
    turns.end_if_left()


# --- turns ------------------------------------------------------------------------------------------------------------


def in_a_thread(job: Callable[[], object]) -> threading.Thread:
    thread = threading.Thread(target=job, daemon=True)
    thread.start()
    return thread


def queue(count: int, at_once: float) -> tuple[Turns, list[int], Callable[[int], None]]:
    """Start computations one after another; return their queue, the number ahead of each, and a way to end one."""
    line, ahead = Turns(at_once), [-1] * count
    asked, answered, ends = ([threading.Event() for _ in range(count)] for _ in range(3))
    joined = [threading.Event() for _ in range(count)]

    def compute(at: int) -> None:
        with line.taken():
            joined[at].set()
            while not ends[at].is_set():
                ahead[at] = line.ahead()
                answered[at].set()
                time.sleep(0.001)
        asked[at].set()

    for at in range(count):
        in_a_thread(lambda at=at: compute(at))  # type: ignore[misc]
        assert joined[at].wait(60)

    def end(at: int) -> None:
        ends[at].set()
        assert asked[at].wait(60)
        settled()

    def settled() -> None:
        for at in range(count):
            if not ends[at].is_set():
                answered[at].clear()
                assert answered[at].wait(60)
                answered[at].clear()
                assert answered[at].wait(60)

    settled()
    return line, ahead, end


def test_work_that_was_requested_first_starts_first() -> None:
    _, ahead, end = queue(4, at_once=2)
    assert ahead == [0, 0, 1, 2]
    end(0)
    assert ahead[1:] == [0, 0, 1]


def test_long_work_pauses_while_a_page_is_drawn() -> None:
    drawn, line = threading.Event(), Turns(1)

    def draw() -> None:
        with line.drawing(line.network(""), Used(), lambda: False):
            drawn.wait(60)

    run = in_a_thread(draw)
    while not line._others():
        time.sleep(0.001)
    assert line.give_way(0.05) >= 0.05
    drawn.set()
    run.join()
    assert line.give_way(10) < 5  # nobody is there any more


def test_waiting_visitors_see_how_many_are_ahead(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    limited(monkeypatch)
    left, texts = [2, 2, 1, 0], list[str]()
    queue = {"taken": Turns(1).taken, "ahead": lambda: left.pop(0) if left else 0}
    busy = SimpleNamespace(**queue, give_way=lambda most: 0.0, pauses=lambda: 0.0)
    monkeypatch.setattr(work, "turns", lambda: busy)
    monkeypatch.setattr(
        "streamlit.progress", lambda *arguments: SimpleNamespace(progress=lambda _, text: texts.append(text))
    )
    assert opened("waits", 0.1).text[0].value == "done"
    assert [text for text in texts if "waiting for" in text] == [
        "Counting: waiting for 2 other computations",
        "Counting: waiting for 2 other computations",
        "Counting: waiting for 1 other computation",
    ]
    assert clock.slept == pytest.approx(3 * work.BETWEEN)


def test_short_work_does_not_wait(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    limited(monkeypatch)
    busy = SimpleNamespace(taken=lambda: pytest.fail("it asked for its turn"), pauses=lambda: 0.0)
    monkeypatch.setattr(work, "turns", lambda: busy)
    assert opened("moment", 0.015).text[0].value == "done"  # 1.5 s


# --- links ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("page", "link", "message"),
    [
        ("sensitivity", {"measure": f"nDCG(gains={GAINS})", "count": "4,000"}, "at most 250 numbers and names in a m"),
        ("sensitivity", {"measure": WIDE}, "at most 40 measures in a measure, found 41"),
        ("discriminative_power", {"measures": ["AP", WIDE]}, "at most 40 measures in a measure, found 41"),
        ("correlations", {"measures": [f"P@{rank}" for rank in range(1, 31)]}, "at most 26 measures"),
        ("topic", {"measure": WIDE}, "at most 40 measures in a measure"),
        ("toma", {"base": f"nDCG(gains={GAINS})"}, "at most 250 numbers and names"),
    ],
)
def test_a_link_beyond_a_limit_gets_the_limit(page: str, link: dict[str, Any], message: str) -> None:
    app = open_app(page, **link)
    assert not app.exception
    assert message in app.warning[0].value.replace("\\", "")


def test_a_page_asks_for_consent_to_compute_slow_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    limited(monkeypatch, ask=1e-9)
    for name in ("STEP", "PATIENCE"):
        monkeypatch.setattr(work, name, 0.0)
    app = open_app("topic", measure="CAM([AP, RR, P, nDCG], weights=[1, 2, 3, 5])")
    assert not app.exception
    assert [button.label for button in app.button].count("Continue") >= 1
    assert any("Continue?" in info.value for info in app.info)


def test_a_stopped_page_says_so_and_continues(monkeypatch: pytest.MonkeyPatch) -> None:
    pressed = [True]
    monkeypatch.setattr("ui.shell.live.box", lambda: st.stop() if pressed else None)  # at its next sign of life
    app = open_app("understandability")
    pressed.clear()
    assert "Stopped before this page was complete" in app.button(key="unfinished").label
    app.button(key="unfinished").click().run()
    assert not app.exception
    assert not [button for button in app.button if button.key == "unfinished"]


def test_a_long_table_shows_its_first_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ui.stage.show.LIMITS", dataclasses.replace(LIMITS, rows=3))

    def script() -> None:
        import pandas as pd

        from ui.address import settings
        from ui.screen.items import Table
        from ui.stage import show

        settings.begin()
        show.put(Table(pd.DataFrame({"a": range(10)}), "numbers"))

    app = AppTest.from_function(script).run()
    assert len(app.dataframe[0].value) == 3
    assert app.caption[0].value == "The first 3 of 10 rows; downloads have all rows."


# --- configuration ----------------------------------------------------------------------------------------------------


def test_the_apps_limits_are_changed_by_name() -> None:
    changed = AppLimits().changed("computations=3, ask=none, memory=500")
    assert (changed.computations, changed.ask, changed.memory, changed.rows) == (3, float("inf"), 500, 20_000)


def test_checkpoints_report_to_observers_of_the_work(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    session(monkeypatch, active=False)
    begun = work._Work("x", "Counting", None, [])
    clock.now += 1
    with pytest.raises(StopException), telling(begun.check):
        checkpoint()
