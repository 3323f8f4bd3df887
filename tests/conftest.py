"""Fixtures that several folders of tests share."""

from __future__ import annotations

import gc
import json
import os
import pickle
import threading
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from hashlib import blake2b
from pathlib import Path
from queue import SimpleQueue
from typing import Any
from weakref import WeakValueDictionary

import pandas as pd
import plotly.graph_objects as go
import pytest
from hypothesis import settings
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.state import session_state_proxy
from streamlit.testing.v1 import app_test, local_script_runner
from streamlit.testing.v1.local_script_runner import LocalScriptRunner

import evalcore as ec
from evalcore import direction
from evalcore.common import threads
from evalcore.figures import draw
from evalcore.notation import values
from evalcore.notation.values import Value
from ui.screen.drawing_ahead import elsewhere
from ui.stage import paths, report_sliders

pytest_plugins = ["browser_fixtures", "cli_support"]
Files = Mapping[str, bytes]
PROJECT = Path(__file__).resolve().parents[1]
# The machine decides if work takes long enough for a question: only tests of that question ask it.
os.environ["EVALCORE_LIMITS"] = "ask=none"
# Run ranx as plain Python: compiling it takes each process longer than everything that tests ask of it.
os.environ["NUMBA_DISABLE_JIT"] = "1"


# Not of the library alone: the app has a server, whose visits are threads.
WITH_A_SERVER = ("tests/fuzz/test_links.py", "tests/test_docs.py", "evalcore")


def lies_in(item: pytest.Item, folder: str) -> bool:
    """Return True if a test is of the app, of a browser, ...: in a folder of that name, of the core or of a subject."""
    return folder in item.path.relative_to(PROJECT).parts[1:-1]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Let no thread start in tests of the library and their fixtures, as in WebAssembly, unless a test is marked."""
    place = item.path.relative_to(PROJECT).as_posix()
    served = lies_in(item, "app") or lies_in(item, "browser") or place.startswith(WITH_A_SERVER)
    if served or item.get_closest_marker("threads"):
        return (yield)
    with no_thread_can_start():
        return (yield)


@contextmanager
def no_thread_can_start() -> Iterator[None]:
    """Make every start of a thread fail with Python's own error."""

    def start(self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(threading.Thread, "start", start)
        threads.can_start.cache_clear()
        yield
    threads.can_start.cache_clear()


# The same examples in every run; `--hypothesis-profile=long` draws 2,000 others.
settings.register_profile("ci", settings.get_profile("ci"), max_examples=10)
settings.register_profile("long", settings.get_profile("ci"), max_examples=2000, derandomize=False)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect no garbage while looking for tests, which makes what stays: it took a third of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Look for doctests in evalcore alone: looking in tests would import all that tests share."""
    collectors = yield
    return [collector for collector in collectors if type(collector) is pytest.Module]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put files with a browser first: they take longest, and no worker is left alone with one at the end."""
    for item in items:
        if lies_in(item, "browser"):
            item.add_marker("browser")
    items.sort(key=lambda item: not lies_in(item, "browser"))


def pytest_collection_finish() -> None:
    """Keep what thousands of tests are made of to the end: looking for garbage in it again and again finds none."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 100)  # an AppTest makes so many objects that the usual 700 is reached all the time


def _meant(figure: go.Figure) -> Any:
    """Return a figure as the browser gets it, without empty lists."""
    return json.loads(figure.to_json(), object_hook=lambda part: {name: one for name, one in part.items() if one != []})


@pytest.fixture(scope="session", autouse=True)
def checked_figures() -> None:
    """Every property of every figure that a test draws is one that plotly knows, and would leave as it is.

    Of figures drawn from the same parts, the first is held against what plotly makes of it.
    """
    seen = set[bytes]()

    def checked(**parts: Any) -> go.Figure:
        figure = unchecked(**parts)
        parts_in_short = blake2b(pickle.dumps(parts)).digest()
        if parts_in_short not in seen:
            assert _meant(go.Figure(**parts)) == _meant(figure)
            seen.add(parts_in_short)
        return figure

    unchecked, draw.new_figure = draw.new_figure, checked


@pytest.fixture(autouse=True)
def values_of_a_test_end_with_it() -> Iterator[None]:
    """Remove a measure that a test defines, so that no other test finds it in a list."""
    known = set(Value.registry.found)
    yield
    for name in Value.registry.found.keys() - known:
        if not Value.registry[name].__module__.startswith("evalcore."):
            del Value.registry[name]
            values._parsed.cache_clear()


@pytest.fixture(scope="session", autouse=True)
def components_known() -> None:
    """Look for components once: each AppTest would search every installed package, for a quarter of a second."""
    manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)


@pytest.fixture(scope="session", autouse=True)
def runs_share_what_is_the_same() -> None:
    """Share what is the same between runs of an AppTest, compiled scripts and the stand-in of the server; lose no time.

    AppTest looks a thousand times a second whether the script has ended, which takes turns from it.
    """

    def wait(runner: LocalScriptRunner, timeout: float = 3) -> None:
        if thread := runner._script_thread:
            thread.join(max(timeout, 600))  # AppTest gives 3 s, which a busy machine passes
        look(runner, 1 if runner.script_stopped() else 0)

    look, local_script_runner.require_widgets_deltas = local_script_runner.require_widgets_deltas, wait
    app_test.ScriptCache = local_script_runner.ScriptCache = cache(local_script_runner.ScriptCache)  # type: ignore[assignment, misc]
    app_test.MagicMock = cache(app_test.MagicMock)  # type: ignore[assignment, misc]


@pytest.fixture(scope="session", autouse=True)
def cache_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Keep loaded collections in a folder of the test run's own, not in the user's cache."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EVALCORE_CACHE", str(folder))
        yield folder


@pytest.fixture(scope="session")
def sample() -> ec.Collection:
    """The sample data: runs of web pages on health, with labels of relevance and understandability."""
    return ec.load(PROJECT / "sample_data" / "health")


@pytest.fixture(scope="session")
def manual() -> ec.Collection:
    """The sample with highlighted passages."""
    return ec.load(PROJECT / "sample_data" / "manual")


@pytest.fixture(scope="session")
def site() -> ec.Collection:
    """The sample with links between its documents."""
    return ec.load(PROJECT / "sample_data" / "site")


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder of real data: EVALCORE_DATA, else ../shared/data beside the project; skips when absent."""
    folder = Path(os.environ.get("EVALCORE_DATA", PROJECT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no real data at {folder}: set EVALCORE_DATA to the folder that holds clef2015")
    return folder


@pytest.fixture(scope="session")
def clef2015(data_folder: Path) -> ec.Collection:
    """The 40 runs of CLEF eHealth 2015 with relevance and understandability."""
    return ec.load(data_folder / "clef2015")


@pytest.fixture(scope="session")
def clef2016(data_folder: Path) -> ec.Collection:
    """The 16 runs of CLEF eHealth 2016, task 2, with relevance, understandability and trustworthiness."""
    return ec.load(data_folder / "clef2016task2")


@pytest.fixture
def folder_of(tmp_path: Path) -> Callable[[Files], Path]:
    """Return a function that writes files, by their names, into a folder."""

    def write(files: Files) -> Path:
        folder = tmp_path / "collection"
        for name, content in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return folder

    return write


@pytest.fixture
def refusal(folder_of: Callable[[Files], Path]) -> Callable[[Files], str]:
    """Return a function that says why files cannot be loaded: as a folder and as an upload, for the same reason."""

    def reason(files: Files) -> str:
        with pytest.raises(ec.InputError) as of_folder:
            ec.load(folder_of(files))
        with pytest.raises(ec.InputError) as of_upload:
            ec.load_files(sorted(files.items()))
        assert str(of_folder.value) == str(of_upload.value)
        return str(of_folder.value)

    return reason


# --- rules for pages --------------------------------------------------------------------------------------------------

KEPT_TO = [
    "scores_say_which_end_is_good", "no_session_elsewhere", "nothing_drawn_beside_tests", "no_path_of_another_test",
]  # fmt: skip


@pytest.fixture(autouse=True)
def what_pages_keep_to(request: pytest.FixtureRequest) -> None:
    """Apply the rules for pages in a test of the app, whether of the core or of a subject."""
    if lies_in(request.node, "app"):
        for name in KEPT_TO:
            request.getfixturevalue(name)


@pytest.fixture
def scores_say_which_end_is_good() -> Iterator[None]:
    """Check that on a page everything that is ranked, correlated or tested still states its good end."""
    known = direction.good_of

    def declared_good(scores: object) -> direction.Good:
        if isinstance(scores, pd.Series | pd.DataFrame):
            assert direction.GOOD in scores.attrs, "scores that do not say which end is good: see evalcore.direction"
        return known(scores)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(direction, "good_of", declared_good)
        yield


@pytest.fixture
def no_session_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse the session to what is drawn for another place of a slider: a path is drawn by a thread that has none."""
    found = session_state_proxy.get_session_state

    def refused() -> Any:
        assert elsewhere() is None, "what follows a slider reads the session"
        return found()

    monkeypatch.setattr(session_state_proxy, "get_session_state", refused)


@pytest.fixture
def nothing_drawn_beside_tests(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw sliders of a report when it is asked for, not in a thread that goes on in the next tests."""
    if not request.node.get_closest_marker("beside"):
        monkeypatch.setattr(report_sliders, "_queue", SimpleQueue)


@pytest.fixture
def no_path_of_another_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget the paths of earlier tests: who sees the same is offered the same path, as far as it has come by then."""
    monkeypatch.setattr(paths, "_OFFERED", WeakValueDictionary())
