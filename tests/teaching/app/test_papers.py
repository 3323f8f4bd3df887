"""The page that recomputes numbers of papers."""

from __future__ import annotations

import pytest

import evalcore as ec
from app_support import SAMPLE, open_app
from evalcore.teaching.papers import exhibits, tally, tally_in_words
from ui.screen.text import markdown, sentence
from ui.teaching.papers.page import ALIVE

NEEDED = "CLEF eHealth 2013 runs and qrels"
NAMES = {one.key: f"{one.document}: {one.place}" for one in exhibits()}


@pytest.mark.parametrize("key", NAMES)
@pytest.mark.parametrize("by", ["key", "name"])
def test_every_exhibit_opens_from_its_key_and_from_the_name_that_links_said_before(key, by):
    app = open_app("papers", exhibit=key if by == "key" else NAMES[key])
    assert not app.warning
    assert not app.exception
    assert app.selectbox(key="papers.exhibit").value == key


@pytest.mark.parametrize(("key", "summary"), [("maistro-table-3-ap", "**65 of 75 printed values** match"),
                                           ("inex-ap", "**1 of 1** identities hold.")])  # fmt: skip
def test_it_counts_the_values_that_are_met_by_their_kind(key, summary):
    app = open_app("papers", exhibit=NAMES[key])
    table = next(one for one in exhibits() if one.key == key).compared(ec.load(SAMPLE)).dropna()
    assert summary.startswith(f"**{int(table['agrees'].sum())} of {len(table)}")
    assert any(text.value.startswith(summary) for text in app.markdown)


def test_values_on_other_data_are_not_judged_to_agree_or_not():
    app = open_app("papers", exhibit=NAMES["zuccon-table-1"])
    shown = next(frame.value for frame in app.dataframe if "published" in frame.value)
    assert list(shown.columns) == ["published", "computed"]
    expected = next(one for one in exhibits() if one.key == "zuccon-table-1").compared(ec.load(SAMPLE))
    assert shown["computed"].tolist() == expected["computed"].tolist()
    said = next(text.value for text in app.markdown if "the published values are from different data" in text.value)
    assert NEEDED in said
    assert said.endswith("No command downloads the data.")


def test_the_overview_shows_how_each_stands():
    sample = ec.load(SAMPLE)
    app = open_app("papers")
    shown = next(one.value for one in app.dataframe if "here" in one.value)
    stands = [one.kind_on(sample) for one in exhibits()]
    assert shown["table or figure"].tolist() == list(NAMES.values())
    assert shown["here"].tolist() == stands
    counts = tally(sample)
    assert next(one.value for one in app.dataframe if "misprints" in one.value).equals(
        counts[["printed", "met", "misprints"]]
    )
    assert any(sentence(tally_in_words(counts.sum())) in text.value for text in app.markdown)


def test_what_is_lacking_is_named_with_where_to_put_it(tmp_path, monkeypatch):
    (tmp_path / "qrels.txt").write_text("1 0 a 1\n")
    (tmp_path / "a.run").write_text("1 Q0 a 1 1 a\n")
    monkeypatch.setattr("sys.argv", ["streamlit", "--data", str(tmp_path)])
    exhibit = next(one for one in exhibits() if one.key == "zuccon-6")
    app = open_app("papers", exhibit=NAMES["zuccon-6"])
    assert not app.exception
    assert markdown(exhibit.lacks(ec.load(tmp_path))) in app.info[0].value
    assert exhibit.needs in app.info[0].value
    assert f"`{exhibit.fetch}` downloads the data" in app.info[0].value


@pytest.mark.slow
def test_where_it_is_alive_its_settings_fit(subtests):
    for page, link in ALIVE.values():
        with subtests.test(f"{page}, {link}"):
            assert not [warning for warning in open_app(page, **link).warning if "do not fit" in warning.value]
