"""Uploads and results of a browser survive a reload, within limits, and no other browser can see them."""

from __future__ import annotations

import gc
import threading
import tracemalloc
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import hypothesis.strategies as st
import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pyarrow as pa
import pytest
from hypothesis import given
from streamlit.testing.v1 import AppTest

import evalcore as ec
from app_support import an_app, correct, go_to, press, shown_items
from evalcore.data import Collection
from ui.address.places import PAGES
from ui.server import browser_store
from ui.server.browser_store import Bounds, Shelves, bytes_of

FILES = [
    ("one.run", b"1 Q0 a 1 3 r\n1 Q0 b 2 2 r\n2 Q0 a 1 3 r\n"),
    ("two.run", b"1 Q0 b 1 3 r\n1 Q0 a 2 2 r\n2 Q0 b 1 3 r\n"),
    ("qrels.txt", b"1 0 a 0\n1 0 b 2\n2 0 a 1\n2 0 b 0\n"),
    ("qread.txt", b"1 0 a 1\n1 0 b 3\n2 0 a 2\n2 0 b 1\n"),
]
# --- bounds -----------------------------------------------------------------------------------------------------------


KB = 1000
SMALL = Bounds(total=250 * KB, each=100 * KB, little=0, littles=0, hours=24)


class Clock:
    def __init__(self) -> None:
        self.hours = 0.0

    def __call__(self) -> float:
        return self.hours * 3600


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def shelves(clock: Clock) -> Shelves:
    """Return a store with room for 100 kB per browser and 250 kB in total, for one day."""
    return Shelves(SMALL, clock)


def test_the_browser_absent_for_longest_is_dropped_when_storage_is_full(shelves):
    for name in ("anna", "bert", "carl"):
        shelves.put(name, "files", b"x" * 80 * KB)
    shelves.get("anna", "files")
    shelves.put("dora", "files", b"x" * 80 * KB)  # 320 kB in all, with a limit of 250
    assert [name for name in ("anna", "bert", "carl", "dora") if shelves.get(name, "files")] == ["anna", "carl", "dora"]


def test_many_browsers_with_small_uploads_displace_no_other_uploads(clock):
    """A client may invent cookies, a new one for each request."""
    shelves = Shelves(now=clock)
    shelves.put("anna", "files", b"x" * 5 * browser_store.MB)
    for at in range(2000):
        shelves.put(f"made up {at}", "files", b"x" * 100 * KB)
    assert shelves.get("anna", "files")
    assert shelves.get("made up 0", "files") is None  # a network has a limit too


def test_an_upload_that_is_large_only_when_unpacked_displaces_no_other_uploads(clock):
    """In the past, 148 uploads of 41 kB under invented cookies, each 12 MB unpacked, displaced everybody's files."""
    shelves = Shelves(now=clock)
    shelves.put("anna", "files", b"x" * 5 * browser_store.MB)
    for at in range(60):
        shelves.put(f"made up {at}", "files", b"x" * 40 * browser_store.MB, 41 * KB)
    assert shelves.get("anna", "files")


def test_when_storage_is_full_the_network_with_the_most_data_loses_first(shelves):
    """The number of browsers invented on that network does not matter, nor how long others were away."""
    shelves.put("anna", "files", b"x" * 50 * KB, network="192.0.2.1")
    for at in range(100):
        shelves.put(f"made up {at}", "files", b"x" * 90 * KB, network="192.0.2.2")
    assert shelves.get("anna", "files")
    assert shelves.get("made up 99", "files")


def test_browsers_without_uploads_are_forgotten_at_once(shelves):
    for at in range(1000):
        shelves.get(f"made up {at}", "files")
        shelves.drop(f"made up {at}", "files")
    assert sum(len(room.shelves) for room in shelves._rooms) == 0


class Thing(list):  # type: ignore[type-arg]
    """An object whose deletion can be observed."""


@pytest.mark.parametrize("hours", [23.0, 25.0])
def test_data_that_are_too_old_are_dropped_at_the_next_upload(shelves, clock, hours):
    thing = Thing()
    seen = weakref.ref(thing)
    shelves.put("anna", "files", thing)
    del thing
    clock.hours = hours
    shelves.put("bert", "files", b"x")
    gc.collect()
    assert (seen() is None) == (hours > 24)


def test_uploads_are_dropped_a_day_after_their_last_use(shelves, clock):
    shelves.put("anna", "files", b"x")
    clock.hours = 23
    assert shelves.get("anna", "files")
    clock.hours = 46.9
    assert shelves.get("anna", "files")
    clock.hours = 71
    assert shelves.get("anna", "files") is None


BROWSERS = st.sampled_from(["anna", "bert", "carl", "dora", "emil"])
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["put", "get", "drop"]),
        BROWSERS,
        st.sampled_from("ab"),
        st.integers(0, 120 * KB),
        st.floats(0, 30),
    )
)


@given(STEPS)
def test_limits_hold_and_no_browser_gets_data_of_another(steps):
    clock = Clock()
    bounds = Bounds(total=250 * KB, each=100 * KB, little=20 * KB, littles=50 * KB, hours=24)
    shelves = Shelves(bounds, clock)
    put: dict[tuple[str, str], bytes] = {}
    for do, browser, name, size, later in steps:
        clock.hours += later
        if do == "put":
            put[browser, name] = browser.encode()[:1] * size
            shelves.put(browser, name, put[browser, name])
        elif do == "drop":
            shelves.drop(browser, name)
            put.pop((browser, name), None)
        elif (found := shelves.get(browser, name)) is not None:
            assert found is put[browser, name]
        for room in shelves._rooms:
            sizes = [shelf.size for shelf in room.shelves.values()]
            assert sum(sizes) == room.size <= room.most
            assert max(sizes, default=0) <= bounds.each


# --- the size of a thing ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Growing:
    """A thing that is not pickled, and states the size to which it may grow."""

    lock: threading.Lock
    reserved_bytes: int = 77 * KB


TEXT = "x" * 50 * KB


@pytest.mark.parametrize(
    ("thing", "size"),
    [
        (b"x" * 10 * KB, 10 * KB),
        (np.zeros(10 * KB), 80 * KB),
        (np.array([TEXT] * 100, dtype=object), 50 * KB),  # one text, 100 times
        ([TEXT, {"again": TEXT}, (TEXT,)], 50 * KB),
        (pd.DataFrame({"a": np.zeros(10 * KB)}), 80 * KB),
        (pd.DataFrame({"a": [f"{at:05}" + "x" * KB for at in range(100)]}), 100 * KB),
        (pa.array(["x" * KB] * 100), 100 * KB),
        (go.Figure(go.Scatter(y=np.zeros(100 * KB))), 800 * KB * 4 // 3),  # in base 64
        ([Growing(threading.Lock()), Growing(threading.Lock())], 2 * 77 * KB),
        ([len, bytes_of, lambda: TEXT], 0),
    ],
)
def test_content_that_is_stored_twice_counts_once(thing: object, size: int) -> None:
    assert size <= bytes_of(thing) <= 1.1 * size + 12 * KB


def named(topic: int, document: int, length: int) -> str:
    return f"{topic}-{document}-".ljust(length, "x")


def judged(length: int, documents: int) -> list[tuple[str, bytes]]:
    """Return assessments of documents with long ids; the run contains only a few of them."""
    qrels = [f"{topic} 0 {named(topic, at, length)} {at % 3}" for topic in range(50) for at in range(documents)]
    run = [f"{topic} Q0 {named(topic, at, length)} {at + 1} {-at} r" for topic in range(50) for at in range(3)]
    return [("qrels.txt", "\n".join(qrels).encode()), ("a.run", "\n".join(run).encode())]


def texts(count: int, length: int) -> list[tuple[str, bytes]]:
    qrels = "\n".join(f"1 0 d{at} {at % 2}" for at in range(count))
    run = "\n".join(f"1 Q0 d{at} {at + 1} {-at} r" for at in range(count))
    held = [(f"documents/d{at}.txt", (f"word{at} " * (length // 6)).encode()) for at in range(count)]
    return [("qrels.txt", qrels.encode()), ("a.run", run.encode()), *held]


@pytest.fixture
def grown() -> Iterator[Callable[[], int]]:
    """Yield a function that returns the bytes the process has allocated since the test began."""
    ec.load_files(texts(2, 600))  # shared by all collections
    gc.collect()
    tracemalloc.start()
    arrow = pa.total_allocated_bytes()

    def more() -> int:
        gc.collect()
        return tracemalloc.get_traced_memory()[0] + pa.total_allocated_bytes() - arrow

    yield more
    tracemalloc.stop()


@pytest.mark.parametrize(
    "make",
    [lambda: judged(12, 200), lambda: judged(500, 60), lambda: texts(30, 12_000)],
    ids=["short", "long", "texts"],
)
def test_a_collection_counts_as_much_as_the_memory_of_the_process_grows(
    make: Callable[[], list[tuple[str, bytes]]], grown: Callable[[], int]
) -> None:
    before = grown()
    files = make()
    between = grown()
    collection = ec.load_files(files)
    growth = grown() - between
    assert between > before
    assert 0.75 * growth <= bytes_of(collection) <= 1.25 * growth


# --- who is who -------------------------------------------------------------------------------------------------------

# The cookies of one browser at three visits, and of another, as Streamlit set them in Chromium.
ONE = (
    "2|f1317d26|0d9e9f4c858195ec7efdcb6070b2aaeb|1795318289",
    "2|d442eb34|28ed095ea0f203fe5b8e5d7255c13cf9|1795318289",
    '"2|192f910f|e58073656d9f79c596e3274998ac46c2|1795318289"',
)
OTHER = "2|9c6a9bd8|fb152c1e0bbcda7d08a70c8e2972460c|1795318292"


def test_a_browser_is_recognised_at_each_visit():
    names = {browser_store.known_by(cookie) for cookie in ONE}
    assert len(names) == 1
    assert None not in names
    assert browser_store.known_by(OTHER) not in names


def test_the_id_of_a_browser_does_not_reveal_its_cookie():
    name = browser_store.known_by(ONE[0])
    assert name is not None
    assert bytes.fromhex(name)[:16] != browser_store._unmasked(ONE[0])


@pytest.mark.parametrize(
    "cookie", ["", "2|f1317d26||1795318289", "2|f1317d26|0d9e9f4c|1795318289", "2||ab|1", "1|x", "x", "2|f|g|h", "ü|||"]
)
def test_an_empty_or_short_cookie_identifies_no_browser(cookie):
    assert browser_store.known_by(cookie) is None


# --- in the app -------------------------------------------------------------------------------------------------------

Visit = Callable[..., AppTest]


@pytest.fixture
def visit(monkeypatch: pytest.MonkeyPatch) -> Visit:
    """Return a function that opens a new session of a named browser, or of a browser without a cookie."""
    shelves = Shelves()
    monkeypatch.setattr(browser_store, "_shelves", lambda: shelves)

    def visit(browser: str | None, page: str = "collection", **link: object) -> AppTest:
        monkeypatch.setattr(browser_store, "browser", lambda: browser)
        app = an_app()
        for key, value in link.items():
            app.query_params[key] = value
        app.run()
        return app if page == "home" else go_to(app, page).run()

    return visit


def upload(
    app: AppTest, files: list[tuple[str, bytes]] = FILES, key: str = "upload files", open_: str = "Open"
) -> AppTest:
    app.file_uploader(key=key).set_value([(*file, "text/plain") for file in files]).run()  # type: ignore[union-attr]
    return press(app, open_)


def opened(app: AppTest) -> Collection:
    collection: Collection = app.session_state["open collection"]
    return collection


def shown(app: AppTest) -> str:
    """Return all text on the screen."""
    parts = (app.warning, app.caption, app.markdown, app.info, app.error, app.success, app.title)
    return "\n".join(str(one.value) for part in parts for one in part)


def test_uploads_are_not_visible_in_another_browser(visit):
    upload(visit("anna"))
    for other in ("bert", None):
        app = visit(other, data="your files")
        assert opened(app).title == "Consumer health (synthetic)"
        assert "your files" not in visit(other).selectbox(key="data").options


def test_without_a_cookie_uploads_stay_in_their_session(visit):
    app = upload(visit(None))
    assert opened(app).systems == ("one", "two")
    assert opened(app.run()).systems == ("one", "two")
    assert "so your files are lost when you reload" in shown(app)
    assert opened(visit(None, data="your files")).title == "Consumer health (synthetic)"


def test_corrections_survive_a_reload(visit):
    corrected = opened(correct(upload(visit("anna"))))
    assert corrected.assessments.scales["understandability"].good == "low"
    assert opened(visit("anna", data="your files")) is corrected


@pytest.mark.slow
def test_a_change_in_one_tab_does_not_alter_another_tab(visit, monkeypatch):
    first = upload(visit("anna"))
    second = correct(visit("anna", data="your files"))
    assert opened(first.run()) is not opened(second)
    assert opened(visit("anna", data="your files")) is opened(second)


def test_views_of_a_report_are_shared_by_all_tabs(visit):
    first, second = visit("anna", "understandability"), visit("anna", "collection")
    press(first, "Keep this view")
    press(second, "Keep this view")
    labels = [button.label.replace("\\", "") for button in visit("anna", "home").button]
    assert [label for label in labels if label in ("Tune: Readability", "Data")] == [
        "Tune: Readability",
        "Data",
    ]
    assert "Tune: Readability" not in [button.label.replace("\\", "") for button in visit("bert", "home").button]


def test_uploads_can_be_deleted_on_demand(visit):
    app = press(upload(visit("anna")), "Forget your files")
    assert opened(app).title == "Consumer health (synthetic)"
    assert opened(visit("anna", data="your files")).title == "Consumer health (synthetic)"


def test_an_upload_too_large_to_store_is_opened_with_a_warning(visit, monkeypatch):
    shelves = Shelves(Bounds(each=100))
    monkeypatch.setattr(browser_store, "_shelves", lambda: shelves)
    app = upload(visit("anna"))
    assert opened(app).systems == ("one", "two")
    assert "they are lost on a reload" in shown(app)


# --- files that are gone ----------------------------------------------------------------------------------------------


def test_a_link_to_deleted_files_offers_to_open_them_again(visit):
    link = {"data": "your files", "on": "0123abcd", "like": "one"}
    app = visit("bert", "home", **link)
    assert "fingerprint 0123abcd" in shown(app)
    assert "other data" not in shown(app)
    assert "does not fit" not in shown(app)
    assert opened(app).title == "Consumer health (synthetic)"


@pytest.mark.parametrize("page", ["home", "understandability", "correlations", "claim", "topic", "collection"])
def test_a_page_without_its_files_shows_no_other_collection(visit, page):
    app = visit("bert", page, data="your files", on="0123abcd")
    assert app.title[0].value == PAGES[page].question
    assert "needs the files of this link, which are not open here" in shown(app)
    assert [*app.metric, *app.dataframe, *shown_items(app)] == []
    assert "bm25" not in shown(app)
    assert "Consumer health" not in shown(app)


def test_uploading_the_same_files_again_restores_the_view_of_the_link(visit):
    made = upload(visit("anna", "home"))
    link = {key: made.query_params[key] for key in ("data", "on")}
    app = visit("bert", "home", like="one", **link)
    app = upload(app, key="same files", open_="Open them again")
    assert opened(app).systems == ("one",)
    assert not app.warning


def test_the_banner_stays_if_the_uploaded_files_are_broken(visit):
    app = visit("bert", "home", data="your files", on="0123abcd")
    app = upload(app, [("one.run", b"1 Q0 a x y\n")], key="same files", open_="Open them again")
    assert app.error
    assert "fingerprint 0123abcd" in shown(app.run())


# --- what was said of labels ------------------------------------------------------------------------------------------


# --- files that join what is open -------------------------------------------------------------------------------------


def test_an_added_run_is_previewed_and_can_be_removed_again(visit):
    app = visit("anna", "glossary")
    before = opened(app)
    topic = before.topics[0]
    run = [("mine.run", f"{topic} Q0 nobody 1 2 mine\n".encode())]
    app = upload(app, run, open_="Add to the open collection")
    assert f"a run, the system mine, on 1 of {len(before.topics)} topics" in shown(app)
    assert "if all its unassessed documents were good, rank" in shown(app)
    assert opened(app) is before
    app = press(app, "Add")
    assert set(opened(app).systems) == {*before.systems, "mine"}
    app = press(app, "Undo: remove the added files")
    assert opened(app) is before


def test_a_run_on_other_topics_is_not_added(visit):
    app = visit("anna", "glossary")
    before = opened(app)
    app = upload(app, [("mine.run", b"nowhere Q0 nobody 1 2 mine\n")], open_="Add to the open collection")
    assert "expected a run on topics of this collection" in app.error[0].value
    assert opened(app) is before
