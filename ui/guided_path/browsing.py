"""Step 9: what a list is worth to those who follow its links."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import ClassVar

import numpy as np

import evalcore as ec
from evalcore import figures
from evalcore.data import Collection
from evalcore.explain.browsing import HandWalk, gain_at, gain_by_effort, hand_walk, longest_walk
from evalcore.figures.style import Styles
from evalcore.measures import Browse, Effort, Walk, ep
from evalcore.measures.navigation.topics import UserModel
from evalcore.papers.browsing_example import LINES, SYSTEM, Line, example
from ui.address.edits import Editing, undone_of
from ui.address.settings import setting
from ui.data import open_collection
from ui.glossary.words import term
from ui.guided_path.base import STEPS, Lesson, LessonContent, LessonSettings
from ui.guided_path.by_hand import ByHand, component, touched
from ui.navigation.controls import shown_first
from ui.screen.items import Figure
from ui.screen.text import counted
from ui.widgets.fields import Choice, Field, of_parameter

EXAMPLE = "the paper's example (6.1)"
STOPPING = 0.3  # of those who follow links on a real site, after each page
TINY = 1e-9  # no gain, but the rounding of a sum
AHEAD = 3  # results shown beyond the next one
_mount = component("browsing", __file__)
_example = cache(example)


def _topic(page: ByLinks) -> Field:
    queries = page.data.queries
    names = {topic: f"{topic} {queries.get(topic, '')}".strip() for topic in page.data.topics}
    return Choice("A list for", (EXAMPLE, *page.data.topics), names=lambda one: names.get(one, one))


def _system(page: ByLinks) -> Field | None:
    return Choice("Ranked by", page.data.systems, shown_first(page.data)) if page.topic != EXAMPLE else None


def _edits(page: ByLinks) -> Field:
    return ByHand("Steps", page.line, lambda steps: longest_walk(*page.walked, steps))


@dataclass(frozen=True)
class ByLinks(Editing, LessonSettings):
    """Which list is walked down, what a link costs, and the steps that were taken."""

    SAMPLE: ClassVar[str] = open_collection.NAVIGATION_NAME

    topic: str = setting(_topic)
    system: str | None = setting(_system)
    click: float = setting(of_parameter(Effort, "click", "Effort of a link", high=2.0, step=0.1))
    edits: tuple[str, ...] = setting(_edits)
    undone: int = setting(lambda page: undone_of(page.edits))

    @staticmethod
    def lacks(collection: Collection) -> str:
        if "relevance" not in collection.aspects:
            return "it has no aspect named relevance"
        navigation = getattr(collection, "navigation", None)
        return "" if navigation is not None and len(navigation.links) else "it has no links between its documents"

    @property
    def line(self) -> str:
        return "6.1:" if self.system is None else f"{self.topic}:{self.system}:"

    @property
    def measure(self) -> ep:
        navigation = Browse() if self.system is None else Walk(stop=STOPPING)
        return ep(navigation=navigation, effort=Effort(click=self.click))

    @property
    def graph(self) -> Collection:
        return _example() if self.system is None else self.data

    @property
    def walked(self) -> tuple[Collection, UserModel, str, str]:
        """The list: its collection, users, topic and system."""
        names = ("topic", SYSTEM) if self.system is None else (self.topic, self.system)
        return self.graph, self.measure.users, *names

    @cached_property
    def walk(self) -> HandWalk:
        return hand_walk(*self.walked, [one.removeprefix(self.line) for one in self.made])


def play(page: ByLinks) -> None:
    """The list to walk down, the page that is open, and its links."""
    walk = page.walk
    news = added(walk)
    gains = at_first(walk, news)
    shown = walk.results[: walk.rank + 1 + AHEAD]
    here = walk.page[-1]
    touched(
        _mount,
        "walk by hand",
        page,
        page.line,
        results=[{"id": one, "seen": at < walk.rank, "gain": gains.get(one, "")} for at, one in enumerate(shown)],
        more=len(walk.results) - len(shown),
        rank=walk.rank,
        here=here,
        worth=news[-1],
        ways=[{"id": name, "chance": f"{chance:.0%}", "seen": name in walk.seen} for name, chance in walk.ways],
        ended=walk.ended,
        status=f"Effort {walk.effort[-1]:g}, gain {walk.gain[-1]:g} of {walk.total:g}",
    )


def added(walk: HandWalk) -> list[str]:
    """What each step added, in words; the start added nothing."""
    news = np.diff(walk.gain, prepend=0.0).tolist()
    return [f"gain {one:g}" if one > TINY else "" for one in news]


def at_first(walk: HandWalk, news: list[str]) -> dict[str, str]:
    """What each page added when it was first seen; coming back to it adds nothing and takes nothing away."""
    return {page: said for page, said in zip(reversed(walk.page), reversed(news), strict=True) if page}


def show(page: ByLinks, _: Styles) -> LessonContent:
    walk, curves = page.walk, gain_by_effort(*page.walked)
    expected = gain_at(curves["list"], float(walk.effort[-1]))
    users = users_precision(page)
    figure = figures.effort_and_gain(curves, walk.effort, walk.gain, walk.total)
    alt = f"Gain against effort: your {counted(len(walk.steps), 'step')}, the model's users, the ideal list"
    gained = walk.gain[-1] > 0
    return LessonContent(
        (Figure(figure, "path-browsing", alt),),
        f"Your gain: {walk.gain[-1]:.4g} of {walk.total:.4g}. "
        f"Your steps, what users of the model expect, the ideal list. {who(page)}",
        answer(page, expected, users),
        numbers=(
            ("your effort", f"{walk.effort[-1]:.4g}", "ce: results consulted, and links followed at what a link costs"),
            ("gain-recall", f"{walk.recall:.3f}", "gr: your gain as a share of all there is"),
            (
                "your ep",
                f"{walk.precision:.3f}" if gained else "none",
                "What the ideal list costs to your gain / effort",
            ),
            ("users' ep", f"{users:.3f}" if gained else "none", "Expected of the model's users at the same gain"),
        ),
        formulas=formulas(page),
        code=code(page),
    )


def users_precision(page: ByLinks) -> float:
    """ep of the model's users at the gain reached; 0 before any."""
    graph, _, topic, system = page.walked
    gain = float(page.walk.gain[-1])
    return float(ec.evaluate(page.measure.with_(level=gain), graph, topics="all")[system][topic]) if gain else 0.0


def who(page: ByLinks) -> str:
    if page.system is None:
        return "They follow d1's link to d3 with probability 0.4, d2's with 0.3."
    return f"After each page {STOPPING:.0%} of them go back to the list; the others follow one of its links, all alike."


def answer(page: ByLinks, expected: float, users: float) -> str:
    walk = page.walk
    spent, gain = f"{walk.effort[-1]:.4g}", f"{walk.gain[-1]:.4g}"
    if not walk.steps:
        start = "You have not begun: consult the first result, then follow a link or go on."
    elif not walk.gain[-1]:
        start = (
            f"You have spent {spent} and gained nothing yet; users have gained **{expected:.3f}** by then on average."
        )
    else:
        start = (
            f"You gained {gain} with effort {spent}; the ideal list needs {walk.ideal_effort:.4g} for as much: your "
            f"effort-precision is **{walk.precision:.3f}**. Users of the model have {users:.3f} at that gain, "
            f"{compared(walk.precision, users)}, and at your effort they have gained {expected:.3f} on average."
        )
    return f"{start} {printed() if page.system is None else in_general(page)}"


def compared(mine: float, users: float) -> str:
    """As the numbers are written."""
    a, b = f"{mine:.3f}", f"{users:.3f}"
    return "as you" if a == b else "less than you" if float(b) < float(a) else "more than you"


def in_general(page: ByLinks) -> str:
    listed = gain_by_effort(*page.walked)["list"]
    return (
        f"The whole list is worth {listed['gain'].iloc[-1]:.3f} of {page.walk.total:.4g} to them, at effort "
        f"{listed['effort'].iloc[-1]:.4g}: a result that is worth nothing itself earns what its links lead to."
    )


def printed() -> str:
    """What section 6.1 comes to; there a link costs nothing."""
    along, without = LINES[6], LINES[7]
    return (
        f"The paper, where a link costs nothing, has ep\\[1\\] = **{along.right[0]:.2f}** along links (printed "
        f"{along.printed[0]:g}) and {without.right[0]:.4f} without (printed {without.printed[0]:g})."
    )


def _printed(line: Line) -> str:
    """A line of section 6.1 as LaTeX, with what is printed where it is not that."""
    if line.printed == line.right:
        return rf"{line.formula}\quad\text{{(as printed)}}"
    return rf"{line.formula}\quad\text{{({line.remark})}}"


def formulas(page: ByLinks) -> tuple[str, ...]:
    if page.system is None:
        return tuple(map(_printed, LINES))
    walk = page.walk
    mine = (
        rf"ep = \frac{{ce_{{ideal}}[{walk.gain[-1]:.4g}]}}{{ce}} = "
        rf"\frac{{{walk.ideal_effort:.4g}}}{{{walk.effort[-1]:.4g}}} = \mathbf{{{walk.precision:.4f}}}"
    )
    return (page.measure.latex(page.graph.assessments.scales), *([mine] if walk.gain[-1] else []))


def code(page: ByLinks) -> tuple[str, ...]:
    walk, (_, _, topic, system) = page.walk, page.walked
    opening = ["c = browsing_example.example()"] if page.system is None else []
    level = f"measure.with_(level={float(walk.gain[-1])!r})"
    users = [f"users = ec.evaluate({level}, c, topics='all')[{system!r}][{topic!r}]"] if walk.gain[-1] else []
    lines = ["lines = [(line.printed, line.right) for line in browsing_example.LINES]"] if page.system is None else []
    return (
        "from evalcore.explain import browsing",
        "from evalcore.papers import browsing_example",
        "",
        *opening,
        f"measure = ec.parse({str(page.measure)!r})",
        f"walked = c, measure.users, {topic!r}, {system!r}",
        f"walk = browsing.hand_walk(*walked, {list(walk.steps)!r})",
        "curves = browsing.gain_by_effort(*walked)",
        "expected = browsing.gain_at(curves['list'], walk.effort[-1])",
        "recall, precision = walk.recall, walk.precision",
        *users,
        *lines,
    )


LESSON = Lesson(
    name=STEPS[8],
    title="What is a result worth if its links are followed?",
    text=(
        "People do not only read down a list: they follow links and come back. A result may be worth nothing itself "
        f"and lead to what is. {term('effort-precision', 'Effort-precision')} compares the {term('effort')} to some "
        f"gain with that of an ideal list; {term('gain-recall')} is the share of all gain. A model of "
        f"{term('navigation')} says what to expect of users. Walk down a list yourself."
    ),
    question="Walk along a link, then again past it: which ep is better?",
    settings=ByLinks,
    controls={"topic": 0.42, "system": 0.28, "click": 0.3},
    show=show,
    play=play,
    page="navigation",
    page_label="All lists and users, on your own data: Navigation",
)
