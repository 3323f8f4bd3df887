"""The report: one HTML file, complete, quiet, and with every foreign text as text."""

from __future__ import annotations

import base64
import re

import pandas as pd
import plotly.graph_objects as go
import pytest

import evalcore as ec
from app_support import SAMPLE
from evalcore.figures.document import Document, Item, Latex, Section, rests_on, versions
from evalcore.figures.draw import axis, figure_of, spec_of, trace

HOSTILE = "<img src=x onerror=alert(1)></script><script>alert(2)</script>"


@pytest.fixture(scope="module")
def collection():
    return ec.load(SAMPLE)


def report(collection, **section):
    return Document("Report", [Section(**{"title": "Does it?", "data": rests_on(collection), **section})]).html("today")


def outside_scripts(html: str) -> str:
    return re.sub(r"<script.*?</script>", "", html, flags=re.DOTALL)


def test_it_records_what_was_loaded_and_what_computed_it(collection):
    html = outside_scripts(report(collection))
    assert collection.fingerprint in html
    assert "32 systems · 40 topics" in html
    assert f"<dt>evalcore</dt><dd>{ec.__version__}</dd>" in html
    assert all(name in html for name in versions())


def test_settings_and_link_of_a_view(collection):
    html = outside_scripts(report(collection, settings={"rho": "0.5"}, link="http://127.0.0.1:8501/?rho=0.5"))
    assert "<dt>rho</dt><dd>0.5</dd>" in html
    assert '<a href="http://127.0.0.1:8501/?rho=0.5">' in html


def test_a_link_that_would_run_script_is_no_link(collection):
    assert "<a " not in outside_scripts(report(collection, link="javascript:alert(1)"))


def test_no_header_of_a_table_is_empty_and_it_can_be_scrolled_by_keys(collection):
    table = pd.DataFrame({"AP": [0.5]}, index=pd.Index(["<a>"], name="system"))
    html = report(collection, items=[Item(table, '"Scores"'), Item(table.rename_axis(None), "again")])
    assert "<th></th>" not in html
    assert 'tabindex="0" role="group" aria-label="&#34;Scores&#34;"' in html
    assert (html.count("<main>"), html.count("</main>")) == (1, 1)


def test_every_caption_names_what_it_rests_on_and_a_table_is_there_as_latex(collection):
    frame = pd.DataFrame({"τ": [0.5]}, index=["bm25_a"])
    html = outside_scripts(report(collection, items=[Item(frame, "Scores")], about="Collection: Health. Measure: τ."))
    assert "<figcaption>Scores. Collection: Health. Measure: τ.</figcaption>" in html
    text = base64.b64decode(re.findall(r"data:text/x-tex;base64,([\w+/=]+)", html)[0]).decode()
    assert r"\caption{Scores. Collection: Health. Measure: $\tau$.}" in text
    assert r"bm25\_a & 0.5000 \\" in text


def test_a_figure_stays_interactive_and_plotly_is_in_once(collection):
    figure = go.Figure(go.Scatter(x=[1], y=[2]))
    html = report(collection, items=[Item(figure, "one"), Item(figure, "two")])
    assert html.count('class="plotly-graph-div"') == 2
    assert "cdn.plot.ly/plotly" not in outside_scripts(html)


def test_the_headline_is_there_once_and_goes_with_the_first_figure(collection):
    frame, figure = pd.DataFrame({"AP": [0.5]}), go.Figure(go.Scatter(x=[1], y=[2]))
    for things in ([], [frame], [figure], [frame, figure]):
        html = outside_scripts(report(collection, items=[Item(one, key="it") for one in things], headline={"a": "Won"}))
        first = re.findall(r'<figure class="first"[^>]*>\s*<p class="headline">', html)
        assert (html.count('<span data-item="a">Won</span>'), len(first)) == (1, bool(things))


def test_a_figure_of_which_no_plotly_object_was_made_is_in_the_file_as_any_other(collection):
    def make() -> go.Figure:
        return figure_of([trace("scatter", x=[1, 2], y=[3.0, None])], xaxis=axis("rank"))

    files = [report(collection, items=[Item(figure, "One")]) for figure in (make(), spec_of(make))]
    ids = "[0-9a-f]{8}-[0-9a-f-]{27}"  # of the figure
    assert re.sub(ids, "", files[0]) == re.sub(ids, "", files[1])


def test_hostile_names_are_text(collection):
    frame = pd.DataFrame({HOSTILE: [HOSTILE]}, index=[HOSTILE])
    figure = go.Figure(go.Scatter(x=[1], y=[2], name=HOSTILE))
    items = [Item(frame, HOSTILE, HOSTILE), Item(figure, HOSTILE, HOSTILE), Item(HOSTILE), Item(Latex(HOSTILE))]
    html = report(
        collection,
        title=HOSTILE,
        settings={HOSTILE: HOSTILE},
        items=items,
        headline={HOSTILE: HOSTILE},
        note=HOSTILE,
        link=f"/{HOSTILE}",
    )
    assert "<img" not in outside_scripts(html)
    assert "<script>alert(2)" not in html


def test_it_may_fetch_nothing(collection):
    assert "Content-Security-Policy\" content=\"default-src 'none'" in report(collection)


def test_what_files_say_of_themselves_is_kept_as_text():
    files = [("a.run", f"# {HOSTILE}\n1 Q0 d1 1 2 x\n".encode()), ("qrels.txt", b"1 0 d1 1\n")]
    html = outside_scripts(report(ec.load_files(files)))
    assert "Comments in the files" in html
    assert "<summary>a.run</summary><pre>&lt;img src=x onerror=alert(1)&gt;" in html


def test_each_view_is_filed_under_the_data_that_it_was_made_on(collection):
    other = ec.load_files([("a.run", b"1 Q0 d1 1 2 x\n"), ("qrels.txt", b"1 0 d1 1\n")])
    sections = [
        Section(title, data=rests_on(on)) for title, on in (("One", collection), ("Two", other), ("Three", other))
    ]
    html = outside_scripts(Document("Report", sections).html("today"))
    facts = html[html.index("Data and versions") :]
    assert f"<dt>View</dt><dd>1</dd><dt>Collection</dt><dd>{collection.title}</dd>" in facts
    assert f"<dt>Views</dt><dd>2, 3</dd><dt>Collection</dt><dd>{other.title}</dd>" in facts
    assert facts.count(collection.fingerprint) == facts.count(other.fingerprint) == 1
    one, two = re.findall("<section.*?</section>", html, re.DOTALL)[:2]
    assert f"<dl><dt>Data</dt><dd>{collection.title}</dd></dl>" in one
    assert f"<dl><dt>Data</dt><dd>{other.title}</dd></dl>" in two
