"""Links to what was removed: the page opens at the nearest place that there is, and one line says so."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest

from app_support import address_of, fresh
from ui.address import removed
from ui.address.removed import REMOVED, Removed, moved
from ui.address.settings import Settings, setting
from ui.widgets.fields import Choice, Many

ROWS = (
    Removed("old page.look", "Gone$", "*Gone*", "Page > New", "new"),
    Removed("old page.look", "Away$", "*Away*", "Page > First"),
    Removed("old page.some", "x:", "The choice x", "the rest"),
)


@dataclass(frozen=True)
class OldPage(Settings, page="old page"):
    look: str = setting(Choice("Look", ("first", "new")))
    some: tuple[str, ...] = setting(Many("Some", ("a", "b")))


def read(**link: str | list[str]) -> OldPage:
    return OldPage.read(
        None, {f"old page.{key}": [texts] if isinstance(texts, str) else texts for key, texts in link.items()}
    )


@pytest.fixture
def rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(removed, "REMOVED", ROWS)


@pytest.mark.usefixtures("rows")
def test_a_removed_value_is_the_nearest_one_and_named() -> None:
    page = read(look="Gone")
    assert (page.look, page.misfits) == ("new", ())
    assert [row.sentence for row in page.removed] == ["*Gone* was removed; this is Page > New."]


@pytest.mark.usefixtures("rows")
def test_without_a_nearest_value_the_page_is_at_its_default() -> None:
    assert (read(look="Away").look, read(look="Away").removed) == ("first", ROWS[1:2])


@pytest.mark.usefixtures("rows")
def test_what_is_left_of_several_values_is_kept() -> None:
    page = read(some=["x: 1", "b"])
    assert (page.some, page.removed, page.misfits) == (("b",), ROWS[2:], ())


@pytest.mark.usefixtures("rows")
def test_a_value_that_never_was_does_not_fit_as_before() -> None:
    page = read(look="Gone with the wind")
    assert page.removed == ()
    assert page.misfits == ("look: expected one of first, new, found Gone with the wind",)


@pytest.mark.usefixtures("rows")
def test_a_value_that_the_page_has_is_not_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(removed, "REMOVED", (Removed("old page.look", "new", "*New*", "Page"),))
    assert (read(look="new").look, read(look="new").removed) == ("new", ())


# Of what was removed: the page of a link to it, and what the link says.
COMBINED = {"labels.look": "Few human labels"}
LINKS = {
    "*What to label next*": ("labels", {**COMBINED, "labels.combined_look": "What to label next"}),
    "*Labels spent*": ("labels", {**COMBINED, "labels.combined_look": "Labels spent"}),
    "*Circularity*": ("labels", {"labels.look": "Ranking", "labels.ranking_look": "Circularity"}),
    "*All judges*": ("labels", {"labels.look": "Ranking", "labels.ranking_look": "All judges"}),
    "*All answers*": ("labels", {"labels.look": "Pool", "labels.pool_look": "All answers"}),
    "*What is unassessed*": ("labels", {"labels.look": "Pool", "labels.pool_look": "What is unassessed"}),
    "*Critical differences*": ("leaderboard", {"leaderboard.look": "Critical differences"}),
    "The test of mean ranks": ("leaderboard", {"leaderboard.test": "Holm"}),
    "Showing answers from a day on": ("guided_path", {"answers": "2026-12-01"}),
    "Locking of settings": ("guided_path", {"locked": "guided_path.step"}),
    "*Reproduction*": ("leaderboard", {"leaderboard.look": "Reproduction", "leaderboard.reproduced": "AP"}),
    "Copeland's rule": ("leaderboard", {"leaderboard.by": "Copeland"}),
    "The trimmed mean": ("leaderboard", {"leaderboard.by": "TrimmedMean(share=0.2)"}),
    "The min-max mean": ("leaderboard", {"leaderboard.by": "MinMax"}),
    "The mean of z scores": ("leaderboard", {"leaderboard.by": "ZScore"}),
    "The mean rank": ("leaderboard", {"leaderboard.by": "MeanRank"}),
    "This rule within groups": ("leaderboard", {"data": "leaderboard sample", "leaderboard.by": "ByGroup(MeanRank)"}),
    "The two-way model of gaps": ("leaderboard", {"leaderboard.gaps": "TwoWay"}),
    "*Rank intervals*": ("understandability", {"understandability.look": "Rank intervals"}),
    "*τ by setting*": ("understandability", {"understandability.look": "τ by setting"}),
    "*Upper bounds*": ("aspect_weights", {"aspect_weights.look": "Upper bounds", "aspect_weights.mean": "MM"}),
    "Choosing both axes": ("aspect_weights", {"aspect_weights.across": "MM"}),
    "*What changed*": ("toma", {"toma.look": "What changed", "toma.listed": "documents"}),
    "*By rank*, of readers": ("measures", {"measures.curve": "τ by depths"}),
    "*Two parameters*": ("sensitivity", {"sensitivity.look": "Two parameters", "sensitivity.across": "rho"}),
    "*Any number*": ("sensitivity", {"sensitivity.look": "Any number", "sensitivity.count": "200"}),
    "*Topics*": ("sensitivity", {"sensitivity.look": "Topics", "sensitivity.question": "Two systems"}),
    "*Motion*": ("sensitivity", {"sensitivity.look": "Motion", "sensitivity.named": "5"}),
    "The filter by run tag": ("toma", {"tag": "a"}),
    "The answer sheet": ("exercises", {"exercises.look": "Answer sheet"}),
    "*For teachers*": ("exercises", {"exercises.look": "For teachers"}),
    "The choice of an aggregate or of a rule for missing scores": (
        "claim", {"data": "leaderboard sample", "claim.left_out": "over topics: Borda"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", LINKS)
def test_a_link_to_a_removed_view_opens_the_nearest_one_and_says_so_in_one_line(what: str) -> None:
    page, link = LINKS[what]
    app = fresh(page, {key: [text] for key, text in link.items()})
    assert not app.exception
    row = next(row for row in REMOVED if row.what == what)
    assert [warning.value for warning in app.warning] == [row.sentence]


# Of what stands elsewhere now: the page of a link to it, what the link says, and what is open then.
ELSEWHERE = [
    ("labels", {"labels.look": "Noise", "labels.noise_level": "0.2"}, {"labels.pool_take": "Wrong labels"}),
    ("labels", {"labels.look": "Pool", "labels.pool_take": "Depth"}, {"labels.look": "Pool and noise"}),
    ("claim", {"claim.stretch": "2 to 5"}, {"claim.look": "The curve", "claim.stretch": "2 to 5"}),
]


@pytest.mark.parametrize(("page", "link", "there"), ELSEWHERE)
def test_a_link_to_what_stands_elsewhere_opens_it_and_says_so_once(
    page: str, link: dict[str, str], there: dict[str, str]
) -> None:
    app = fresh(page, {key: [text] for key, text in link.items()})
    assert not app.exception
    assert not app.warning
    assert [toast.value.startswith("This link is older: ") for toast in app.toast] == [True]
    assert {key: [text] for key, text in there.items()}.items() <= address_of(app).items()
    assert not app.run().toast


def test_a_stretch_of_the_view_that_is_open_is_left_alone() -> None:
    assert moved({"claim.look": ["The share that holds"], "claim.stretch": ["2 to 5"]})[1] == []


def test_every_sentence_names_two_things_and_every_pattern_is_one() -> None:
    for row in REMOVED:
        assert re.compile(row.pattern)
        assert re.fullmatch(r".+ was removed; this is .+\.", row.sentence)
