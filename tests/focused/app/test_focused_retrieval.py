"""The page Focused retrieval, tested without a browser."""

from __future__ import annotations

import gzip
import re
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import evalcore as ec
from app_support import ROOT, metric, open_app
from evalcore.focused.document_scores import DocumentF
from evalcore.focused.overlay import Overlay, cut
from evalcore.measures import TASKS, precision_recall, ranked_documents
from ui.focused.marked_text import KEPT, marked_text
from ui.screen.text import markdown


def open_page(**link: object) -> AppTest:
    return open_app("focused_retrieval", **{"data": "focused sample", **link})


def headline(app: AppTest) -> str:
    return next(text.value for text in app.markdown if text.value.startswith("Under "))


def shown(app: AppTest) -> str:
    """Return the open document."""
    return next(text.value for text in app.markdown if text.value.endswith(" characters"))


def latex(app: AppTest) -> str:
    return " ".join(one.value for one in app.latex)


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("view", ["The document", "Official table"])
@pytest.mark.parametrize("topic", ["mean over topics", "103"])
def test_every_view_of_every_task_opens(task: str, view: str, topic: str) -> None:
    app = open_page(task=task, look=view, topic=topic)
    assert not app.exception
    assert not app.error


def test_a_and_n_change_the_ranking(manual: ec.Collection) -> None:
    app = open_page(task="best in context", A="10")
    scores = ec.evaluate("AgP(Entry(A=10))", manual).mean()
    official = ec.evaluate("AgP(Entry(A=0.1))", manual).mean()
    assert f"{scores.max():.4f}" in headline(app)
    assert metric(app, "τ with official") == f"{ec.tau(scores, official):.3f}" != "1.000"
    app.selectbox(key="focused_retrieval.nearness").select("relative to a screen (Eq. 9)").run()
    assert f"{ec.evaluate('AgP(EntryScreen(n=1000))', manual).mean().max():.4f}" in headline(app)
    assert not app.exception


def test_stepping_through_ranks(manual: ec.Collection) -> None:
    assert manual.passages is not None
    documents = ranked_documents(manual.passages, "section_dense", "101")["document"]
    app = open_page(task="relevant in context", system="section_dense")
    assert shown(app).startswith(f"**{markdown(documents[1])}**")
    app.button(key="Next rank").click().run()
    assert app.slider(key="focused_retrieval.rank").value == 2
    assert shown(app).startswith(f"**{markdown(documents[2])}**")
    app.button(key="Previous rank").click().run()
    assert app.slider(key="focused_retrieval.rank").value == 1
    assert app.button(key="Previous rank").disabled


def test_the_arithmetic_of_a_document_is_written_out(manual: ec.Collection) -> None:
    assert manual.passages is not None
    app = open_page(task="best in context", system="section_dense", topic="101", rank="3")
    row = ranked_documents(manual.passages, "section_dense", "101", TASKS["best in context"].score).loc[3]
    for name in ("P", "R", "F", "Entry(A=0.1)"):
        assert f"\\mathbf{{{row[name]:.4f}}}" in latex(app)
    assert f"{row['size']:,}".replace(",", "{,}") in latex(app)


QUOTIENT = r"\\frac\{([\d.{,}]+)\}\{([\d{,}]+)\} = \\mathbf\{([\d.]+)\}"


@pytest.mark.slow
@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("at", ["first", "second", "last"])
def test_the_written_out_arithmetic_of_a_ranking_adds_up(manual: ec.Collection, task: str, at: str) -> None:
    assert manual.passages is not None
    begun = open_page(task=task, system="section_dense", topic="101")
    rank = {"first": 1, "second": 2, "last": int(begun.slider(key="focused_retrieval.rank").max)}[at]
    app = open_page(task=task, system="section_dense", topic="101", rank=str(rank))
    found = re.findall(QUOTIENT, latex(app))
    assert len(found) >= 3
    for above, below, value in found:
        part, whole = (float(one.replace("{,}", "")) for one in (above, below))
        assert (part / whole if whole else 0) == pytest.approx(float(value), abs=0.6e-4)
    assert ("Nothing in this document is highlighted" in "".join(caption.value for caption in app.caption)) == (
        "{0} =" in latex(app)
    )
    if task == "focused":
        view: Any = next(one for one in app.session_state["settings on the screen"] if one.PAGE == "focused_retrieval")
        size, relevant = (view.rows.value[name].to_numpy()[:rank].sum() for name in ("size", "rsize"))
        assert f"P[{rank}] &= \\frac{{{relevant:,}}}{{{size:,}}}".replace(",", "{,}") in latex(app)
    else:
        score = TASKS[task].score or DocumentF()
        scores = ranked_documents(manual.passages, "section_dense", "101", score)[str(score)]
        assert f"\\mathrm{{gP}}[{rank}]" in latex(app)
        assert f"\\mathbf{{{scores[:rank].mean():.4f}}}" in latex(app)


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("topic", ["mean over topics", "103"])
def test_the_headline_has_the_numbers_of_the_library(manual: ec.Collection, task: str, topic: str) -> None:
    app = open_page(task=task, topic=topic, system="window_500")
    every = ec.evaluate(TASKS[task].official, manual)
    scores = every.mean() if topic == "mean over topics" else every.T[topic]
    place = int((scores.to_numpy() > scores["window_500"]).sum()) + 1
    assert headline(app).endswith(f"**window\\_500**: {scores['window_500']:.4f}, rank {place} of {len(scores)}")
    rival = "relevant in context" if task == "focused" else "focused"
    other = ec.evaluate(TASKS[rival].official, manual).mean()
    assert metric(app, f"τ with {type(TASKS[rival].official).__name__}") == f"{ec.tau(every.mean(), other):.3f}"
    if task == "focused":
        early = ec.evaluate("iP(recall=0.01)", manual)["window_500"]
        assert metric(app, "iP[0.01]") == f"{early.mean() if topic == 'mean over topics' else early[topic]:.4f}"


def test_the_official_table_also_ranks_by_a_chosen_score(manual: ec.Collection) -> None:
    shown = open_page(task="relevant in context", beta="3", look="Official table").dataframe[-1].value
    chosen, official = (ec.evaluate(f"AgP(DocumentF(beta={beta}))", manual).mean() for beta in (3, 1))
    assert shown["rank"].to_dict() == chosen.rank(ascending=False, method="min").astype(int).to_dict()
    assert shown["official rank"].to_dict() == official.rank(ascending=False, method="min").astype(int).to_dict()
    assert "official rank" not in open_page(look="Official table").dataframe[-1].value


@pytest.mark.parametrize("level", [0.0, 0.07, 0.5, 1.0])
@pytest.mark.parametrize("topic", ["mean over topics", "103"])
def test_precision_at_a_recall_level_equals_a_loop(manual: ec.Collection, level: float, topic: str) -> None:
    assert manual.passages is not None
    app = open_page(system="window_500", topic=topic, level=level)
    found = []
    for one in manual.topics if topic == "mean over topics" else [topic]:
        rows = precision_recall(manual.passages, "window_500", one)
        best = 0.0
        for precision, recall in zip(rows["precision"], rows["recall"], strict=True):
            best = max(best, precision) if recall >= level - 1e-12 else best
        found.append(best)
    assert metric(app, f"iP[{level:.2f}]") == f"{sum(found) / len(found):.4f}"


def test_overlapping_parts_count_if_that_is_chosen() -> None:
    """iAP of the run as in its file, by a loop over its lines, and without the overlapping parts."""
    app = open_page(system="window_150")
    assert "39 of them from window\\_150. Overlapping parts are left out." in " ".join(
        text.value for text in app.caption
    )
    assert "(0.6110)" not in headline(app)
    assert "**window\\_150**: 0.6110" in headline(app)
    counted = open_page(system="window_150", overlaps="true")
    assert f"**window\\_150**: {iap_of_the_file('window_150'):.4f}" in headline(counted)
    assert "Overlapping parts count here." in " ".join(text.value for text in counted.caption)


def iap_of_the_file(name: str) -> float:
    """Mean over topics of the mean of iP at 101 recall levels, from the characters of every line."""
    folder = ROOT / "sample_data" / "manual"
    marked: dict[str, dict[str, set[int]]] = {}
    for line in (folder / "highlights.txt").read_text().splitlines():
        topic, _, document, *rest = line.split()
        characters = marked.setdefault(topic, {}).setdefault(document, set())
        for place in rest[3:]:
            at, length = map(int, place.split(":"))
            characters |= set(range(at, at + length))
    lists: dict[str, list[tuple[int, int]]] = {}
    for line in gzip.decompress((folder / "runs" / f"{name}.txt.gz").read_bytes()).decode().splitlines():
        topic, _, document, *_, start, extent = line.split()
        part = set(range(int(start), int(start) + int(extent)))
        lists.setdefault(topic, []).append((int(extent), len(part & marked.get(topic, {}).get(document, set()))))
    means = []
    for topic, documents in marked.items():
        total, size, hit, points = sum(map(len, documents.values())), 0, 0, []
        for one, of_it in lists.get(topic, []):
            size, hit = size + one, hit + of_it
            points.append((hit, hit / size))
        best = (max((p for h, p in points if h * 100 >= level * total), default=0.0) for level in range(101))
        means.append(sum(best) / 101)
    return sum(means) / len(means)


# --- the text ---------------------------------------------------------------------------------------------------------


def document(text: str, highlighted: list[tuple[int, int]], returned: list[tuple[int, int, int]]) -> Overlay:
    relevant = sum(end - start for start, end in highlighted)
    begun = returned[0][0] if returned else -1
    return Overlay("d", len(text), 0, begun, relevant, cut(len(text), highlighted, returned), True)


def test_foreign_text_is_shown_as_it_is() -> None:
    text = "<script>alert(1)</script> & <b>bold</b>"
    html = marked_text(text, document(text, [(0, 8)], [(4, 30, 1)]), now=1, begun=True)
    assert "<script" not in html
    assert "<b>" not in html
    assert html.count("&lt;") == text.count("<")
    assert "&amp;" in html


def test_each_character_is_shown_as_highlighted_or_returned() -> None:
    html = marked_text("abcdef", document("abcdef", [(1, 4)], [(2, 6, 7)]), now=7)
    assert '<span class="marked">b</span>' in html
    assert '<span class="marked returned now">cd</span>' in html
    assert '<span class="returned now">ef</span>' in html
    assert html.count('<span class="rank now">7</span>') == 1


def test_long_unmarked_passages_are_shortened_unless_the_whole_text_is_requested() -> None:
    text = "x" * 5000
    short = marked_text(text, document(text, [], []))
    assert short.count("x") == 2 * KEPT
    assert f"{5000 - 2 * KEPT:,} characters" in short
    assert marked_text(text, document(text, [], []), whole=True).count("x") == 5000
