"""A folder of parts in the app: read whole where it fits, else scored part by part, sweeps on a scheduler."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import evalcore as ec
from app_support import SAMPLE, open_app
from evalcore.errors import ClusterError
from evalcore.scale import PartitionedCollection
from evalcore.scale import cluster as clusters
from evalcore.scale.tasks import LocalRunner, Task
from ui.computing import parts
from ui.server import held

PAGES = ("home", "collection", "measures", "sensitivity", "discriminative_power", "navigation")
CURRENT = "open collection"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return ec.partition(SAMPLE, tmp_path_factory.mktemp("parts") / "large", topics_per_part=7)


@pytest.fixture
def started(folder: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """The app as if started with --data folder."""
    monkeypatch.setattr(sys, "argv", ["app.py", "--data", str(folder)])
    monkeypatch.delenv("EVALCORE_SCHEDULER", raising=False)
    anew()  # a collection and its parts have one fingerprint, and the same scores
    return monkeypatch


@pytest.fixture
def small(started: pytest.MonkeyPatch, folder: Path, tmp_path: Path) -> pytest.MonkeyPatch:
    """The app with little memory; a folder of its own, as the server keeps what it has opened."""
    copy = tmp_path / "large"
    shutil.copytree(folder, copy)
    started.setattr(sys, "argv", ["app.py", "--data", str(copy)])
    started.setenv("EVALCORE_MEMORY", "100 kB")
    return started


def test_what_fits_is_read_whole(started):
    app = open_app("correlations", data="large")
    assert isinstance(app.session_state[CURRENT], ec.Collection)
    assert not app.exception


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_every_page_opens_on_what_does_not_fit(small, page):
    app = open_app(page, data="large")
    assert isinstance(app.session_state[CURRENT], PartitionedCollection)
    assert not app.exception
    assert not app.error


@pytest.mark.slow
@pytest.mark.parametrize("page", ["toma", "aspect_weights", "correlations", "topic"])
def test_the_numbers_are_those_of_the_collection_in_memory(small, page):
    app = open_app(page, data="large")
    assert not app.exception
    assert not app.error
    found = shown(app)
    anew()
    assert found == shown(open_app(page))


def shown(app: AppTest) -> list[tuple[str, str]]:
    return [(metric.label, metric.value) for metric in app.metric]


def test_scores_that_were_held_say_how_to_go_on_in_their_place_alone(small, monkeypatch):
    monkeypatch.setattr(parts, "results", lambda *given, **named: {})
    app = open_app("measures", data="large")
    assert not app.exception
    assert not [button for button in app.button if button.key == "unfinished"]


def test_the_filter_narrows_parts(small):
    app = open_app("understandability", data="large", like="bm25*")
    part = app.session_state[CURRENT]
    assert isinstance(part, PartitionedCollection)
    assert {name.split("_")[0] for name in part.systems} == {"bm25"}
    assert not app.exception


def test_parts_are_judged_by_another_source(small):
    app = open_app("topic", data="large", source="llm", measure="RBP(rho=0.8)")
    part = app.session_state[CURRENT]
    assert isinstance(part, PartitionedCollection)
    assert part.source == "llm"
    assert not app.exception
    found = shown(app)
    anew()
    assert found == shown(open_app("topic", source="llm", measure="RBP(rho=0.8)"))
    assert found != shown(open_app("topic", measure="RBP(rho=0.8)"))


def test_a_size_that_is_none_is_reported(small):
    small.setenv("EVALCORE_MEMORY", "much")
    app = open_app("understandability", data="large")
    assert "expected a size such as 500MB or 2GB" in app.error[0].value
    assert "The sample data are shown instead." in [caption.value for caption in app.caption]


@pytest.mark.parametrize(("text", "size"), [("", 2e9), ("500MB", 5e8), ("1.5 g", 1.5e9), ("77", 77)])
def test_sizes(monkeypatch, text, size):
    monkeypatch.setenv("EVALCORE_MEMORY", text)
    assert parts.most_bytes() == size


def anew() -> None:
    """As on a server that has just started."""
    held.forget()
    st.cache_resource.clear()


@pytest.fixture(scope="module")
def cluster() -> Iterator[clusters.Cluster]:
    if not clusters.installed():
        pytest.skip("dask is not installed: pip install 'ir-evalcore[cluster]'")
    with clusters.connect(workers=1, memory="1GB") as cluster:
        yield cluster
        anew()  # the app's own connection ends before the scheduler


@pytest.mark.slow
def test_sweeps_are_sent_there(started, cluster, monkeypatch):
    sent: list[str] = []
    run = clusters.Cluster.run

    def noted(self, *arguments):
        sent.append(self.address)
        return run(self, *arguments)

    monkeypatch.setattr(clusters.Cluster, "run", noted)
    monkeypatch.setenv("EVALCORE_SCHEDULER", cluster.address)
    there = open_app("sensitivity", data="large", measure="RBP(rho=0.8)")
    assert not there.exception
    assert isinstance(there.session_state[CURRENT], ec.Collection)  # it fits, so pages have it whole
    assert set(sent) == {cluster.address}
    anew()
    assert shown(there) == shown(open_app("sensitivity", measure="RBP(rho=0.8)"))


def test_all_scores_of_what_does_not_fit_are_made_there(small, cluster, monkeypatch):
    monkeypatch.setattr(sys, "argv", [*sys.argv, "--scheduler", cluster.address])
    sent: list[str] = []
    monkeypatch.setattr(clusters.Cluster, "_submitted", noted_submission(sent))
    app = open_app("understandability", data="large")
    assert not app.warning
    assert sent
    anew()
    assert shown(app) == shown(open_app("understandability"))


def noted_submission(sent: list[str]) -> Callable[..., object]:
    submitted = clusters.Cluster._submitted

    def noted(self: clusters.Cluster, task: Task) -> object:
        sent.append(self.address)
        return submitted(self, task)

    return noted


@pytest.mark.skipif(not clusters.installed(), reason="dask is not installed: pip install 'ir-evalcore[cluster]'")
def test_a_scheduler_that_does_not_answer_is_reported_and_this_machine_computes(small, monkeypatch):
    monkeypatch.setattr(clusters, "ANSWER", 0.5)
    monkeypatch.setenv("EVALCORE_SCHEDULER", "tcp://127.0.0.1:9")
    app = open_app("understandability", data="large")
    assert "expected a Dask scheduler, found no answer" in app.warning[0].value
    assert "This machine computes instead" in app.warning[0].value
    assert not app.error
    anew()
    monkeypatch.delenv("EVALCORE_SCHEDULER")
    assert shown(app) == shown(open_app("understandability"))


def test_a_cluster_that_fails_midway_is_gone_on_for_here(small, monkeypatch):
    monkeypatch.setenv("EVALCORE_SCHEDULER", "tcp://gone:1")
    monkeypatch.setattr(parts, "cluster", GoneAfterTwo)
    shares: list[float] = []
    tasks = [Task((at,), divmod, (at, 2)) for at in range(4)]
    assert list(parts.ClusterOrLocalRunner().run(tasks, shares.append)) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert shares == [0.75, 1.0]
    assert str(parts.failed()) == "tcp://gone:1: gone"
    monkeypatch.setattr(parts, "RETRY", 0.0)
    assert parts.failed() is None


class GoneAfterTwo:
    """A cluster that gives two results."""

    def run(self, tasks: Sequence[Task], tell: object) -> Iterator[object]:
        yield from LocalRunner().run(tasks[:2])
        raise ClusterError("gone", "tcp://gone:1")
