"""Links to removed pages and settings: the closest current page opens, and one sentence explains it once."""

from __future__ import annotations

import re

import pytest

from app_support import address_of, fresh
from ui.address import old_links, places, settings
from ui.address.old_links import OLD, SAME, Old, led_on
from ui.widgets.fields import Choice, Field

ROWS = (
    Old("old.look", "Gone$", {"old.look": "new"}, "*Gone* was removed."),
    Old("old.look", "Page$", {"place.view": "page"}),
    Old("old.some", "x:", {}, "The choice x was removed."),
    Old("old.name", "", {"old.renamed": SAME}),
    Old("/path", "", {"old.look": "unasked"}),
)


@pytest.fixture
def rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(old_links, "OLD", ROWS)


@pytest.mark.usefixtures("rows")
@pytest.mark.parametrize(
    ("link", "now", "sentences"),
    [
        ({"old.look": ["Gone"]}, {"old.look": ["new"]}, ["*Gone* was removed."]),
        ({"old.look": ["Gone with the wind"]}, {"old.look": ["Gone with the wind"]}, []),
        ({"old.some": ["x: 1", "b"]}, {"old.some": ["b"]}, ["The choice x was removed."]),
        ({"old.some": ["x: 1"], "other": ["1"]}, {"other": ["1"]}, ["The choice x was removed."]),
        ({"old.name": ["1", "2"]}, {"old.renamed": ["1", "2"]}, []),
        ({"old.name": ["1"], "old.renamed": ["2"]}, {"old.renamed": ["2"]}, []),
        ({"old.look": ["Page"]}, {"place.view": ["page"]}, []),
        ({"old.look": ["Page"], "place.view": ["old"]}, {"place.view": ["page"]}, []),
        ({"old.look": ["Page"], "place.view": ["other"]}, {"place.view": ["other"]}, []),
        ({"/path": [""]}, {"old.look": ["unasked"]}, []),
        ({"/path": [""], "old.look": ["asked"]}, {"old.look": ["asked"]}, []),
    ],
)
def test_old_links_open_the_same_view(
    link: dict[str, list[str]], now: dict[str, list[str]], sentences: list[str]
) -> None:
    assert led_on(link) == (now, sentences)
    assert led_on(now) == (now, [])


def test_a_link_that_mixes_new_and_old_keys_opens_the_right_page() -> None:
    link = {"rank.view": ["discriminative_power"], "discriminative_power.look": ["Topics needed"]}
    assert places.now("rank", link)[:2] == ("rank", {"rank.view": ["topics_needed"]})


@pytest.mark.parametrize(
    ("given", "look"), [({}, "Along one parameter"), ({"sensitivity.look": ["Map of two"]}, "Map of two")]
)
def test_a_kept_view_with_an_old_path_shows_the_same(given: dict[str, list[str]], look: str) -> None:
    there = places.now("sensitivity", given)
    assert (there.place, there.texts["sensitivity.look"]) == ("tune", [look])
    assert there.sentences == ["This link is from an older version. Its page is now Tune: Any measure."]


def fields_of_today() -> dict[str, list[Field]]:
    """Map the keys of today's settings to their fields; none for settings that depend on data."""
    settings.load()
    found: dict[str, list[Field]] = {}
    for page in places.PLACES:
        for kind in settings.kinds(page):
            for name, make in kind._makes().items():
                cells = [cell.cell_contents for cell in make.__closure__ or ()]  # type: ignore[attr-defined]
                found[kind.key(name)] = [cell for cell in cells if isinstance(cell, Field)]
    return found


def test_no_entry_for_old_links_captures_a_current_key() -> None:
    today = fields_of_today()
    for row in OLD:
        if row.key in today and row.to.get(row.key, "") is not SAME:
            assert row.pattern, row
            for field in today[row.key]:
                options = map(field.names, field.options) if isinstance(field, Choice) else field.write(field.usual)
                assert not [text for text in options if re.match(row.pattern, text)], row


# For what was removed: the page of a link to it, and the rest of the link.
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
    "Showing answers only from a certain day on": ("guided_path", {"answers": "2026-12-01"}),
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
    "*By rank* for readers": ("measures", {"measures.curve": "τ by depths"}),
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
    "*Depth of all readers*": ("correlations", {"correlations.vary": "depth of all readers"}),
    "What each disagreement does to the systems": ("labels", {"labels.agreement_measure": "AP"}),
}  # fmt: skip


@pytest.mark.parametrize("what", LINKS)
def test_a_link_to_a_removed_view_opens_the_nearest_one_and_says_so_once(what: str) -> None:
    page, link = LINKS[what]
    app = fresh(page, {key: [text] for key, text in link.items()})
    assert not app.exception
    assert not app.warning
    assert app.toast[-1].value.startswith(f"{what} was removed; this is ")
    assert not app.run().toast


# For what was moved: the page of a link to it, the rest of the link, and what opens now.
ELSEWHERE = [
    ("labels", {"labels.look": "Noise", "labels.noise_level": "0.2"}, {"labels.pool_take": "Wrong labels"}),
    ("labels", {"labels.look": "Pool", "labels.pool_take": "Depth"}, {"labels.look": "Pool and noise"}),
]


@pytest.mark.parametrize(("page", "link", "there"), ELSEWHERE)
def test_a_link_to_a_moved_view_opens_it_and_says_so_once(
    page: str, link: dict[str, str], there: dict[str, str]
) -> None:
    app = fresh(page, {key: [text] for key, text in link.items()})
    assert not app.exception
    assert not app.warning
    assert [toast.value.startswith("This link is from an older version. ") for toast in app.toast] == [True]
    assert {key: [text] for key, text in there.items()}.items() <= address_of(app).items()
    assert not app.run().toast


def test_a_link_to_a_former_view_of_a_claim_opens_its_page_at_the_same_section() -> None:
    for view in ("The share that holds", "The curve"):
        link = {"claim.look": [view], "claim.stretch": ["2 to 5"]}
        assert led_on(link) == ({"claim.stretch": ["2 to 5"]}, [])
