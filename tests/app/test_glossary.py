"""The glossary: everything is explained, no entry is empty, and every link has a target."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from app_support import open_app
from evalcore.measures import Aggregate, Measure
from evalcore.notation.values import Value
from ui.glossary.words import AFTER, BEFORE, ONE, TERMS, address, entries, find, in_lines, search, term
from ui.screen.text import markdown

ROOT = Path(__file__).parents[2]
WORDS = """
topic; document; rank; system; run; pool; qrels; aspect; grade; signal; gain; discount; persistence; threshold; residual
unassessed; ideal ranking; tau; tau_AP; ties; discriminative power; ASL; bootstrap; p-value; effect size; correction
specificity; highlighted text; best entry point; iP; effort-precision; gain-recall; navigation; component; embedding
distance; class; admissible tuple; weight; equivalence; winner map; baseline; kept; fingerprint; score
measure
"""


# Tests of other modules may have registered values of their own.
VALUES = {name: cls for name, cls in sorted(Value.registry.items()) if cls.__module__.startswith("evalcore.")}
MEASURES = [(name, cls) for name, cls in VALUES.items() if issubclass(cls, Measure)]


def open_page(**link: str) -> AppTest:
    return open_app("glossary", **link)


# --- the entries ------------------------------------------------------------------------------------------------------


def test_the_words_of_the_field_are_explained(subtests: pytest.Subtests) -> None:
    for word in [word.strip() for word in re.split(r"[;\n]", WORDS) if word.strip()]:
        with subtests.test(str(word)):
            assert len(find(word).text) > 30


def test_every_registered_value_is_explained_from_its_declaration(subtests: pytest.Subtests) -> None:
    for name in VALUES:
        with subtests.test(str(name)):
            entry = find(name)
            assert entry.name == name
            assert entry.notation.startswith(name)
            assert [(key, bool(help)) for key, _, help in entry.parameters] == [
                (key, True) for key in Value.registry[name].parameters()
            ]


def test_a_measures_formula_is_its_own(subtests: pytest.Subtests) -> None:
    for name, cls in MEASURES:
        with subtests.test(f"{name}, {cls}"):
            assert find(name).formula == cls().latex()
            assert find(name).source


def test_no_entry_is_empty_or_a_fragment() -> None:
    for entry in entries().values():
        assert entry.text.strip() == entry.text
        assert entry.text.endswith((".", "?")), entry.name
        assert entry.group, entry.name


def test_no_word_has_two_entries() -> None:
    heads = [*VALUES, *(one.name for listed in TERMS.values() for one in listed)]
    assert len(heads) == len(set(heads))
    others = [name for entry in entries().values() for name in entry.also]
    assert sorted(name for name in others if name in entries() or others.count(name) > 1) == []


def test_related_entries_exist() -> None:
    for entry in entries().values():
        assert [find(name).name for name in entry.see] == list(entry.see)
        assert entry.name not in entry.see


# --- links ------------------------------------------------------------------------------------------------------------


def test_a_link_leads_to_its_entry(subtests: pytest.Subtests) -> None:
    for name in [*entries(), "run", "τ", "NDCG"]:
        with subtests.test(str(name)):
            parts = urlsplit(address(find(name).name))
            assert parts.path == "/glossary"
            assert search(parse_qs(parts.query)["glossary.term"][0])[0] == find(name)


def test_a_word_as_markdown() -> None:
    assert term("persistence").startswith('[persistence](/glossary?glossary.term=persistence "The probability')
    assert term("tau", "τ").startswith("[τ](/glossary?glossary.term=tau ")
    assert all(term(name).count('"') == 2 for name in entries())
    with pytest.raises(KeyError):
        term("fame")


def test_words_linked_from_pages_exist() -> None:
    linked = {
        word: path.name
        for path in [*ROOT.glob("pages/*.py"), *ROOT.glob("ui/**/*.py")]
        for word in re.findall(r"\bterm\([\"']([^\"']+)[\"']", path.read_text())
    }
    steps = " ".join(str(tomllib.loads((ROOT / "ui/teaching/guided_path/steps.toml").read_text())).split())
    linked |= dict.fromkeys(re.findall(r"\[(?:[^]|\"]+\|)?([^]|\"]+)\]", steps), "steps.toml")
    assert len(linked) > 10
    for word, name in linked.items():
        assert find(word), f"{name}: {word}"


# --- the search and the page ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "first"),
    [("tau", "tau"), ("TAU", "tau"), ("kendall", "tau"), ("R", "R"), ("ndcg", "nDCG"), ("yellow", "highlighted text")],
)
def test_an_exact_match_comes_first(text: str, first: str) -> None:
    assert search(text)[0].name == first


def test_the_page_lists_every_entry_by_group() -> None:
    app = open_page(letter="all")
    assert not app.exception
    assert app.title[0].value == "What do the words mean?"
    shown = "\n".join(str(text.value) for text in app.markdown)
    assert [entry for entry in entries().values() if entry.formula and in_lines(entry.formula) not in shown] == []
    assert [one.value for one in app.header][:2] == ["Test collections", "Inside a measure"]
    assert {one.value for one in app.header} == {entry.group for entry in entries().values()}


def test_the_page_opens_with_one_letter_and_a_search_is_of_all() -> None:
    app = open_page()
    shown = "\n".join(str(text.value) for text in app.markdown)
    listed = [entry for entry in entries() if f"**{markdown(entry)}**" in shown]
    assert listed
    assert {one[0].upper() for one in listed} == {"A"}
    assert app.dataframe[0].value["word"].tolist() == list(entries())
    app.button_group(key="glossary.letter").set_value("T").run()
    assert "**TOMA**" in "\n".join(str(text.value) for text in app.markdown)
    app.text_input(key="glossary.term").set_value("RBP").run()
    assert app.header[0].value == "RBP"
    assert not app.warning


@pytest.mark.parametrize("name", ["RBP", "tau", "TOMA"])
def test_a_full_entry_has_meaning_source_and_parameters(name: str) -> None:
    entry = find(name)
    app = open_page(term=name)
    shown = "\n".join(str(part.value) for part in (*app.markdown, *app.caption))
    assert markdown(entry.text) in shown
    assert markdown(entry.source) in shown
    for key, default, help in entry.parameters:
        assert f"`{key}`" in shown
        assert default in shown
        assert markdown(help) in shown


def test_related_words_are_a_click_away() -> None:
    app = open_page(term="persistence", group="Inside a measure")
    app.button(key="word RBP").click().run()
    assert app.header[0].value == "RBP"
    assert app.text_input(key="glossary.term").value == "RBP"


def test_an_open_entry_lists_its_group() -> None:
    app = open_page(term="tau", group="Navigation")
    assert "in the group Navigation" in app.info[0].value
    words = open_page(term="component", group="Navigation").dataframe[0].value["word"].tolist()
    assert words == [entry.name for entry in entries().values() if entry.group == "Navigation"]


def test_an_unknown_word_gets_similar_ones() -> None:
    app = open_page(term="persistance")
    assert "persistance" in app.info[0].value
    app.button(key="word persistence").click().run()
    assert app.header[0].value == "persistence"


def test_a_search_accepts_any_text() -> None:
    app = open_page(term="![x](http://evil.example/x.png) :red[a] $b$")
    assert not app.exception
    assert "\\!\\[x\\]" in app.info[0].value


def test_a_measure_is_listed_by_what_it_combines() -> None:
    """Measures of one aspect read one column of labels; measures of several aspects combine labels or scores."""
    groups: dict[str, set[str]] = {}
    for name, cls in MEASURES:
        groups.setdefault(find(name).group, set()).add(name)
        if find(name).group in (ONE, BEFORE):
            assert (len(cls().columns) > 1) == (find(name).group == BEFORE), name
    assert {name for name, cls in MEASURES if issubclass(cls, Aggregate)} == groups[AFTER]
    assert {"RBP", "nDCG", "AP"} <= groups[ONE]
    assert {"TOMA", "uRBP"} <= groups[BEFORE]
