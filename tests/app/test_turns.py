"""Runs of pages take turns: runs that need little time go first, and no run can keep others from their turn."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from urllib.request import urlopen

import pytest
from protocol_support import Visitor
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.runtime.scriptrunner import RerunData, RerunException, StopException

from browser_support import running_app
from ui.server.streamlit_inside import Runner
from ui.server.turns import LOOK, MOMENT, NEW, SHARE, Turns, Used

SOON = 5.0  # seconds, on a machine that is busy with other things


class Run:
    """A run in a separate thread, which repeatedly shows something until it is told to end."""

    def __init__(self, line: Turns, network: str = "", tab: Used | None = None, shows: bool = True) -> None:
        self.line, self.shows, self.stopped = line, shows, False
        self.network, self.tab = line.network(network), tab or Used()
        self.began, self.end, self.gone = threading.Event(), threading.Event(), threading.Event()
        self.most = self.worked = 0.0  # the longest pause, and the seconds worked
        threading.Thread(target=self._work, daemon=True).start()
        assert until(lambda: self.began.is_set() or any(run.tab is self.tab for run in line._runs))

    def _work(self) -> None:
        with self.line.drawing(self.network, self.tab, lambda: self.stopped) as run:
            self.began.set()
            while not self.end.wait(0.003):
                if self.shows:
                    self.line.shows(run)
                self.most, self.worked = run.paused, run.worked(time.monotonic())
        self.gone.set()

    def finish(self) -> None:
        self.end.set()
        assert self.gone.wait(SOON)


def until(true: Callable[[], bool], seconds: float = SOON) -> bool:
    """Wait until a condition is true; return False after some seconds."""
    end = time.monotonic() + seconds
    while not true() and time.monotonic() < end:
        time.sleep(0.002)
    return true()


def order(line: Turns, *given: tuple[str, Used]) -> list[int]:
    """Return the order in which waiting runs begin; each is ended before the next begins."""
    first = Run(line, "first", Used(-1000.0))  # no other goes before it
    first.network.seconds = -1000.0
    runs, began = [Run(line, *one) for one in given], list[int]()
    assert not any(run.began.is_set() for run in runs)
    first.finish()
    for _ in runs:
        assert until(lambda: any(run.began.is_set() and not run.gone.is_set() for run in runs))
        [at] = [at for at, run in enumerate(runs) if run.began.is_set() and not run.gone.is_set()]
        began.append(at)
        runs[at].finish()
    return began


def test_among_equal_visitors_the_first_to_come_is_first() -> None:
    assert order(Turns(1), ("a", Used()), ("a", Used()), ("a", Used())) == [0, 1, 2]


def test_the_network_that_worked_least_lately_goes_first() -> None:
    """However many tabs one network opens, a visitor of another network does not wait for them."""
    line = Turns(1)
    held = [line.network(name) for name in "ab"]
    held[0].seconds, held[1].seconds = 5.0, 1.0
    assert order(line, ("a", Used()), ("a", Used()), ("b", Used(2.0)), ("c", Used(NEW))) == [3, 2, 0, 1]


def test_within_a_network_the_tab_that_used_little_goes_first() -> None:
    assert order(Turns(1), ("a", Used(3.0)), ("a", Used(NEW)), ("a", Used(0.1))) == [2, 0, 1]


def test_what_was_used_is_forgotten_while_one_waits() -> None:
    """Visitors who used much wait, but not forever: new tabs do not exclude them."""
    now = time.monotonic()
    assert Used(8.0, now - 30).left(now) == pytest.approx(1.0, rel=0.01)
    assert Used(NEW, now - 60).left(now) < Used(0.2, now).left(now) < Used(NEW, now).left(now)


def test_the_time_of_a_run_counts_for_its_tab_and_its_network() -> None:
    line = Turns(1)
    network, tab = line.network("a"), Used()
    with line.drawing(network, tab, lambda: False) as run:
        for used in (0.3, 0.4):
            end = time.thread_time() + used
            while time.thread_time() < end:
                pass
            line.shows(run)
            assert tab.seconds >= 0.25  # also before it ends
            time.sleep(0.3)  # which costs others nothing
    assert tab.seconds == network.seconds == pytest.approx(0.7, rel=0.2)


def test_a_run_gives_way_when_it_shows_something_but_not_for_ever() -> None:
    line = Turns(1)
    heavy = Run(line, "a", Used(5.0))
    time.sleep(0.2)
    heavy.network.seconds = 5.0
    light = Run(line, "b")
    assert light.began.wait(SOON)
    assert until(lambda: heavy.most > 0)  # it went on at last, while the other still works
    assert heavy.most <= SHARE * heavy.worked + LOOK + 0.2
    light.finish()
    heavy.finish()


def test_nobody_waits_long_for_a_run_that_shows_nothing() -> None:
    """Such a run may wait for the result of another run, for a lock, a process or a disk."""
    line = Turns(1)
    still = Run(line, "a", shows=False)
    begun = time.monotonic()
    other = Run(line, "b", Used(5.0))
    assert other.began.wait(SOON)
    assert time.monotonic() - begun > MOMENT / 2
    other.finish()
    still.finish()


def test_a_run_that_waits_for_a_later_run_gets_its_result() -> None:
    line, result = Turns(1), threading.Event()
    first = Run(line, "a", shows=False)
    second = Run(line, "a")
    assert second.began.wait(SOON)
    result.set()
    first.end = result
    assert first.gone.wait(SOON)
    second.finish()


def test_a_run_that_should_end_no_longer_waits_and_holds_up_no_other() -> None:
    line = Turns(1)
    first, second = Run(line), Run(line)
    third = Run(line)
    second.stopped = True
    assert second.began.wait(SOON)  # Streamlit ends it there
    first.finish()
    assert third.began.wait(SOON)  # though the second works on
    second.finish()
    third.finish()


@pytest.mark.parametrize("error", [ValueError, StopException, lambda: RerunException(RerunData())])
def test_a_turn_is_released_after_an_error(error: Callable[[], BaseException]) -> None:
    line = Turns(1)
    raised = error()
    with suppress(type(raised)), line.drawing(line.network(""), Used(), lambda: False):
        raise raised
    assert line._runs == []
    again = Run(line)
    assert again.began.wait(SOON)
    again.finish()


def test_a_long_computation_holds_no_turn_of_a_page() -> None:
    line = Turns(1)
    with line.drawing(line.network(""), Used(), lambda: False) as run, line.taken():
        for _ in range(2):
            other = Run(line, "b", Used(5.0))
            line.shows(run)
            assert other.began.wait(SOON)
            other.finish()
        end = time.thread_time() + 0.2
        while time.thread_time() < end:
            pass
    assert run.tab.seconds < 0.1  # it counts as no page


def computing(line: Turns, network: str, used: float = 0.0) -> Computing:
    """Start a computation in the run of a network that has computed for some seconds."""
    line.network(network).computing.add(used, time.monotonic())
    return Computing(line, network)


class Computing:
    """A computation in a separate thread, which records how many go before it."""

    def __init__(self, line: Turns, network: str) -> None:
        self.network, self.ahead, self.asked = line.network(network), -1, threading.Event()
        self.line, self.end, self.ended = line, threading.Event(), threading.Event()
        threading.Thread(target=self._work, daemon=True).start()
        assert self.asked.wait(SOON)

    def _work(self) -> None:
        with self.line.drawing(self.network, Used(), lambda: False), self.line.taken():
            while not self.end.wait(0.003):
                self.ahead = self.line.ahead()
                self.asked.set()
        self.ended.set()


def test_a_computation_of_a_network_that_computed_less_goes_before_one_that_works() -> None:
    line = Turns(1)
    held = line.network("much"), line.network("little")  # as their sessions hold them
    much = computing(line, "much", 60.0)
    assert much.ahead == 0
    little = computing(line, "little")
    assert until(lambda: (much.ahead, little.ahead) == (1, 0))
    little.end.set()
    assert until(lambda: much.ahead == 0)
    much.end.set()
    assert all(one.ended.wait(SOON) for one in (much, little))
    assert held[1].computing.seconds < 60.0


def test_a_run_that_reports_progress_pauses_for_a_run_that_used_less() -> None:
    line = Turns(1)
    with line.drawing(line.network("much"), Used(60.0), lambda: False) as run:
        other = Run(line, "little")
        assert until(lambda: run.paused > 0 or line.pauses() > 0)
        other.finish()
    assert line.pauses() == 0  # not a run


# --- a server ---------------------------------------------------------------------------------------------------------

SCRIPT = """
import threading
import time
from contextlib import asynccontextmanager

import streamlit as st
from starlette.responses import JSONResponse
from starlette.routing import Route

from ui.server.turns import turns


def main():
    wait = turns().__dict__.setdefault("wait", threading.Event())
    do = st.query_params.get("do", "")
    if do == "stop":
        st.stop()
    if do == "error":
        raise ValueError("an error")
    if do == "rerun" and "again" not in st.session_state:
        st.session_state["again"] = True
        st.rerun()
    if do == "waits":
        st.text(f"its result: {wait.wait(30)}")
    if do == "gives":
        wait.set()
    if do == "long":
        for at in range(1000):
            st.text(at)
            time.sleep(0.01)
    part()


@st.fragment
def part():
    st.button("A button", key="button")
    st.text("the part")


if __name__ == "__main__":
    main()
else:
    from ui.shell.warm_up import sessions_ended

    @asynccontextmanager
    async def lifespan(app):
        async with sessions_ended():
            yield

    async def runs(_):
        return JSONResponse(len(turns()._runs))

    app = st.App(__file__, lifespan=lifespan, routes=[Route("/runs", runs)])
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("turns")
    (folder / "script.py").write_text(SCRIPT)
    with running_app(folder / "log", script=folder / "script.py") as address:
        yield address


def asked(address: str, do: str) -> Visitor:
    """Request a run without waiting for it."""
    visitor, message = Visitor(address), BackMsg()
    message.rerun_script.query_string = f"do={do}"
    visitor.send(message)
    return visitor


def runs(address: str) -> int:
    """Count the current runs, those that wait included."""
    with urlopen(f"{address}/runs", timeout=SOON) as answer:
        return int(answer.read())


@pytest.mark.parametrize("do", ["", "stop", "error", "rerun"])
def test_a_run_releases_its_turn_however_it_ends(address: str, do: str) -> None:
    visitor = asked(address, do).wait()
    assert until(lambda: runs(address) == 0)
    visitor.close()


def test_a_part_of_a_page_releases_its_turn(address: str) -> None:
    visitor, message = asked(address, "").wait(), BackMsg()
    message.rerun_script.fragment_id = next(filter(None, (delta.fragment_id for delta in visitor.deltas())))
    visitor.send(message)
    assert "the part" in visitor.wait().seen()
    assert until(lambda: runs(address) == 0)
    visitor.close()


def test_a_run_may_wait_for_that_of_another_visitor(address: str) -> None:
    waits = asked(address, "waits")
    time.sleep(0.2)
    asked(address, "gives").wait().close()
    assert "its result: True" in waits.wait().seen()
    waits.close()
    assert until(lambda: runs(address) == 0)


def test_a_closed_tab_gives_back_its_turn_and_its_place(address: str) -> None:
    """One tab works and one waits; both are closed, and so is a tab that meanwhile asked for a newer run."""
    tabs = [asked(address, "long") for _ in range(3)]
    message = BackMsg()
    message.rerun_script.query_string = "do=long"
    tabs[0].send(message)
    assert until(lambda: runs(address) == 3)
    for tab in tabs:
        tab.close()
    assert until(lambda: runs(address) == 0)


def test_a_run_waits_once_its_request_is_taken() -> None:
    """A clock tick must not turn a pending request into a request for a part: an upload was lost (test_people.py)."""
    assert "_run_script" in vars(Runner)
    assert "_run_script_thread" not in vars(Runner)
