"""Step Links: the worth of a ranking to users who follow its links."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pandas as pd

import evalcore as ec
from evalcore import figures
from evalcore.common.cached import cached_property
from evalcore.data import Collection
from evalcore.figures.style import Styles
from evalcore.measures import Browse, Effort, Walk, ep
from evalcore.navigation.browsing import (
    FOLLOW,
    NEXT,
    HandWalk,
    effort_to,
    gain_at,
    gain_by_effort,
    hand_walk,
    longest_walk,
    without_links,
)
from evalcore.navigation.paper_example import FIRST, SECOND, SYSTEM, Line, computed_lines, example, lines
from evalcore.navigation.topic_graphs import UserModel
from ui.address.edits import Editing, undone_of
from ui.address.settings import setting
from ui.computing.measures import parsed
from ui.navigation.navigation_settings import shown_first
from ui.navigation.subject import SAMPLE
from ui.screen.calls import Call, call, line, record
from ui.screen.items import Calls, Figure, Metric
from ui.screen.text import counted
from ui.teaching.guided_path.base import Lesson, LessonContent, LessonSettings, with_query
from ui.teaching.guided_path.by_hand import ByHand, component, touched
from ui.teaching.guided_path.statements import Statement, state
from ui.widgets.fields import Choice, Field, Number, of_parameter

EXAMPLE = "the paper's example (6.1)"
STOPPING = 0.3  # share of users who stop following links after each page, except in the example
TINY = 1e-9  # smaller gains are rounding errors
SHARE_HELP = "The share of users on a page who follow its link; .4 and .3 in the paper"
AHEAD = 3  # results shown after the next one
WHO = "After each page {stopping:.0%} of the users go back to the list; the others follow a random link on the page."
WHO_IN_EXAMPLE = "Users follow d1's link to d3 with probability {first:g}, d2's with {second:g}."
_mount = component("browsing", __file__)
_example = lru_cache(maxsize=32)(example)


def _system(page: ByLinks) -> Field | None:
    return Choice("Ranked by", page.data.systems, shown_first(page.data)) if page.topic != EXAMPLE else None


def _edits(page: ByLinks) -> Field:
    return ByHand("Steps", page.line, lambda steps: longest_walk(*page.walked, steps))


def lacks_links(collection: Collection) -> str:
    if "relevance" not in collection.aspects:
        return "it has no aspect named relevance"
    navigation = getattr(collection, "navigation", None)
    return "" if navigation is not None and len(navigation.links) else "it has no links between its documents"


@dataclass(frozen=True)
class ByLinks(Editing, LessonSettings, lacks=lacks_links, sample=SAMPLE):
    """Settings of the step: a list, how many users follow the example's links, the effort of a link, and the steps."""

    topic: str = setting(lambda page: Choice("A list for", (EXAMPLE, *page.data.topics), names=with_query(page.data)))
    system: str | None = setting(_system)
    from_d1: float | None = setting(Number("d1 to d3", 0.0, 1.0, FIRST, 0.05, help=SHARE_HELP), topic=EXAMPLE)
    from_d2: float | None = setting(Number("d2 to d3", 0.0, 1.0, SECOND, 0.05, help=SHARE_HELP), topic=EXAMPLE)
    click: float = setting(of_parameter(Effort, "click", "Effort of a link", high=2.0, step=0.1))
    edits: tuple[str, ...] = setting(_edits)
    undone: int = setting(lambda page: undone_of(page.edits))

    @property
    def line(self) -> str:
        return "6.1:" if self.system is None else f"{self.topic}:{self.system}:"

    @property
    def measure(self) -> ep:
        navigation = Browse() if self.system is None else Walk(stop=STOPPING)
        return ep(navigation=navigation, effort=Effort(click=self.click))

    @property
    def graph(self) -> Collection:
        return _example(*self.shares) if self.system is None else self.data

    @property
    def shares(self) -> tuple[float, float]:
        """Shares of users who follow the two links of the example; as printed in the paper unless they were changed."""
        return (FIRST if self.from_d1 is None else self.from_d1, SECOND if self.from_d2 is None else self.from_d2)

    @property
    def walked(self) -> tuple[Collection, UserModel, str, str]:
        """The collection, the user model, and the topic and system of the list."""
        names = ("topic", SYSTEM) if self.system is None else (self.topic, self.system)
        return self.graph, self.measure.users, *names

    @cached_property
    def walk(self) -> HandWalk:
        return hand_walk(*self.walked, [name.removeprefix(self.line) for name in self.made])


def play(page: ByLinks) -> None:
    """Show the list to walk down, the current page, and its links."""
    walk = page.walk
    news = added(walk)
    gains = at_first(walk, news)
    shown = walk.results[: walk.rank + 1 + AHEAD]
    touched(
        _mount,
        "walk by hand",
        page,
        page.line,
        results=[{"id": page, "seen": at < walk.rank, "gain": gains.get(page, "")} for at, page in enumerate(shown)],
        more=len(walk.results) - len(shown),
        rank=walk.rank,
        here=walk.page[-1],
        worth=news[-1],
        ways=[{"id": name, "chance": f"{chance:.0%}", "seen": name in walk.seen} for name, chance in walk.ways],
        ended=walk.ended,
        status=f"Effort {walk.effort[-1]:g}, gain {walk.gain[-1]:g} of {walk.total:g}",
    )


def added(walk: HandWalk) -> list[str]:
    """Return what each step added to the gain, as text such as "gain 1"; "" if it added nothing."""
    news = np.diff(walk.gain, prepend=0.0).tolist()
    return [f"gain {new:g}" if new > TINY else "" for new in news]


def at_first(walk: HandWalk, news: list[str]) -> dict[str, str]:
    """Map each page to what its first visit added to the gain, as text; a return to the page changes nothing."""
    return {page: values for page, values in zip(reversed(walk.page), reversed(news), strict=True) if page}


def show(page: ByLinks, _: Styles) -> LessonContent:
    listed = Listed(page)
    text = (
        "You gained {gain:.4g} of {total:.4g}. The lines show your steps, the average of the model's users, results "
        f"alone, and the ideal list. {WHO_IN_EXAMPLE if page.system is None else WHO}"
    )
    gain, total = float(page.walk.gain[-1]), float(page.walk.total)
    followed = {"stopping": STOPPING} if page.system else {"first": page.from_d1, "second": page.from_d2}
    return LessonContent(
        (listed.figure(),),
        (state("drawn", text, gain=gain, total=total, **followed),),
        tuple(answer(listed)),
        listed.calls,
        numbers=tuple(numbers(listed)),
        formulas=formulas(page),
    )


@dataclass(frozen=True)
class Listed:
    """Calls for one ranking: the reader's walk down it, and the expected gain of the model's users."""

    page: ByLinks

    @cached_property
    def collection(self) -> Collection:
        """The collection of the ranking, recorded for the Python code of the page."""
        collection = self.page.walked[0]
        return collection if self.page.system else call("c", example, *self.page.shares).known(collection).it

    @cached_property
    def measure(self) -> Call[ep]:
        return parsed("measure", self.page.measure)

    @property
    def given(self) -> tuple[Collection, UserModel, str, str]:
        """Arguments of the functions in `evalcore.navigation.browsing`: collection, users, topic, system."""
        _, _, topic, system = self.page.walked
        return self.collection, self.measure.it.users, topic, system

    @cached_property
    def walk(self) -> Call[HandWalk]:
        return call("walk", hand_walk, *self.given, list(self.page.walk.steps)).known(self.page.walk)

    @cached_property
    def curves(self) -> Call[dict[str, pd.DataFrame]]:
        return call("curves", gain_by_effort, *self.given)

    @cached_property
    def results(self) -> Call[pd.DataFrame]:
        """The call that computes the gain by effort in the ranking if no link is followed."""
        return call("results", without_links, *self.given)

    @cached_property
    def past(self) -> Call[float]:
        """The call that computes the effort needed for the reader's gain if no link is followed."""
        return call("past_links", effort_to, self.results.it, self.walk.it.gain[-1])

    @cached_property
    def expected(self) -> Call[float]:
        """The call that computes the gain that the model expects of users at the effort that the reader spent."""
        return call("expected", gain_at, self.curves.it["list"], self.walk.it.effort[-1])

    @cached_property
    def users(self) -> Call[float]:
        """The call that computes ep of the model's users at the reader's gain so far; 0 if that gain is 0."""
        if not self.page.walk.gain[-1]:
            return line("users", 0.0)
        measure = self.measure.it.with_(level=self.walk.it.gain[-1])
        scores = record(ec.evaluate)(measure, self.collection, topics="all")  # only for this gain, so not kept
        _, _, topic, system = self.page.walked
        return line("users", scores[system][topic])

    @property
    def calls(self) -> Calls:
        """The calls that compute the numbers in the answer."""
        printed = () if self.page.system else (call("lines", computed_lines, *self.page.shares),)
        return (self.expected, self.past, *printed)

    def figure(self) -> Figure:
        """Return the figure of gain against effort."""
        curves, walk = self.curves.it | {"results": self.results.it}, self.walk.it
        figure = call("", figures.effort_and_gain, curves, walk.effort, walk.gain, walk.total)
        count = counted(len(self.page.walk.steps), "step")
        alt = f"Gain against effort: your {count}, the model's users, results without links, and the ideal list"
        return Figure(figure, "path-browsing", alt)


def numbers(listed: Listed) -> Iterator[Metric]:
    """Yield effort, gain-recall and effort-precision of the walk, and effort-precision of the model's users."""
    walk, made = listed.page.walk, listed.walk.it
    effort, recall = line("effort", made.effort[-1]), line("recall", made.recall)
    precision = line("precision", made.precision)
    gained = walk.gain[-1] > 0
    yield Metric.of("your effort", effort, "ce: results consulted plus the effort of links followed", form=".4g")
    yield Metric.of("gain-recall", recall, "gr: your gain as a share of all gain")
    help = "The effort that the ideal list needs for your gain, divided by your effort"
    yield Metric("your ep", f"{precision.value:.3f}" if gained else "none", help=help, calls=(precision,))
    help = "The expected effort-precision of the model's users at the same gain"
    yield Metric("users' ep", f"{listed.users.value:.3f}" if gained else "none", help=help, calls=(listed.users,))


def answer(listed: Listed) -> Iterator[Statement]:
    """Yield statements that compare the walk by hand with the model's users, and one about the whole ranking."""
    walk, expected = listed.page.walk, listed.expected.value
    spent, gain = float(walk.effort[-1]), float(walk.gain[-1])
    if not walk.steps:
        yield state("not begun", "You have not started. Consult the first result, then follow a link or continue.")
    elif not gain:
        text = "You have spent {spent:.4g} for no gain; the model's users gained **{expected:.3f}** by then on average."
        yield state("no gain", text, spent=spent, expected=expected)
    else:
        users, mine = float(listed.users.value), walk.precision
        text = (
            "You gained {gain:.4g} with effort {spent:.4g}; the ideal list needs {ideal:.4g} for the same gain: your "
            "effort-precision is **{precision:.3f}**. The model's users have an effort-precision of {users:.3f} at "
            "that gain, {beside}, and at your effort they have gained {expected:.3f} on average."
        )
        values = {"gain": gain, "spent": spent, "ideal": walk.ideal_effort, "precision": mine, "users": users}
        yield past_links(walk, listed.past.value)
        yield state("gained", text, beside=compared(mine, users), expected=expected, **values)
    yield printed(listed.page) if listed.page.system is None else in_general(listed)


def past_links(walk: HandWalk, effort: float) -> Statement:
    """State whether, at the same gain, ep is better with the links that were followed or with results alone.

    `effort` is the effort that results alone need for this gain.
    """
    spent = float(walk.effort[-1])
    values = {"spent": spent, "mine": walk.precision, "effort": effort}
    if not any(step.startswith(FOLLOW) for step in walk.steps):
        return state("no link", "You have followed no link yet.")
    if np.isinf(effort):
        text = "**Following the link**: results alone never reach this gain, whatever the effort."
        return state("past links never", text, **values)
    better = {-1: "Following the link", 0: "Both equal", 1: "Skipping it"}[int(np.sign(round(spent - effort, 9)))]
    text = (
        f"**{better}**: for the same gain you spent {{spent:.4g}}, ep {{mine:.3f}}; results alone need "
        "{effort:.4g}, ep {past:.3f}."
    )
    return state("past links", text, better=better, past=walk.ideal_effort / effort, **values)


def compared(mine: float, users: float) -> str:
    """Return how `users` compares with `mine`, at three decimals: "as you", "less than you" or "more than you"."""
    a, b = f"{mine:.3f}", f"{users:.3f}"
    return "as you" if a == b else "less than you" if float(b) < float(a) else "more than you"


def in_general(listed: Listed) -> Statement:
    users = listed.curves.value["list"]
    text = (
        "Users' gain from the whole list is {worth:.3f} of {total:.4g}, at effort {effort:.4g}: a worthless result "
        "still earns the gain that its links lead to."
    )
    worth, effort = float(users["gain"].iloc[-1]), float(users["effort"].iloc[-1])
    return state("in general", text, worth=worth, total=float(listed.page.walk.total), effort=effort)


def printed(page: ByLinks) -> Statement:
    """State ep of section 6.1 with links and without; if the shares are those of the paper, add the printed values."""
    along, without = lines(*page.shares)[6:]
    as_printed = as_in_paper(page)
    text = "If a link costs nothing, ep\\[1\\] is **{along:.4g}** along links"
    text += " (printed {along_printed:g})" * as_printed
    text += " and {without:.4f} without" + " (printed {without_printed:g})" * as_printed + ": section 6.1 of the paper."
    was = {"along_printed": along.printed[0], "without_printed": without.printed[0]} if as_printed else {}
    return state("printed", text, along=along.right[0], without=without.right[0], **was)


def as_in_paper(page: ByLinks) -> bool:
    return page.shares == (FIRST, SECOND)


def _printed(line: Line, beside: bool) -> str:
    """Return a line of section 6.1 in LaTeX; if `beside` is True, with a note on the printed value."""
    if not beside:
        return line.formula
    if line.printed == line.right:
        return rf"{line.formula}\quad\text{{(as printed)}}"
    return rf"{line.formula}\quad\text{{({line.remark})}}"


def formulas(page: ByLinks) -> tuple[str, ...]:
    if page.system is None:
        return tuple(_printed(one, as_in_paper(page)) for one in lines(*page.shares))
    walk = page.walk
    mine = (
        rf"ep = \frac{{ce_{{ideal}}[{walk.gain[-1]:.4g}]}}{{ce}} = "
        rf"\frac{{{walk.ideal_effort:.4g}}}{{{walk.effort[-1]:.4g}}} = \mathbf{{{walk.precision:.4f}}}"
    )
    return (page.measure.latex(page.graph.assessments.scales), *([mine] if walk.gain[-1] else []))


def moves(page: ByLinks) -> dict[str, tuple[str, ...]]:
    """Map the name of each ready-made walk to its steps, for pages without a server.

    The walks go down the ranking, or down to a result and along its first link.
    """
    results = page.walk.results
    made: dict[str, list[str]] = {"nothing yet": []}
    for at, result in enumerate(results[: AHEAD + 1], start=1):
        down = [NEXT] * at
        made[", ".join(results[:at])] = down
        ways = hand_walk(*page.walked, down).ways
        if ways:
            made[f"{', '.join(results[:at])}, and {result}'s link to {ways[0][0]}"] = [*down, FOLLOW + ways[0][0]]
    return {name: tuple(page.line + step for step in steps) for name, steps in made.items()}


def seen(page: ByLinks) -> pd.DataFrame:
    """Return a table with a row for each step of the walk: the page read, and the effort and gain so far."""
    walk = page.walk
    rows = list(zip(walk.page, walk.effort.tolist(), walk.gain.tolist(), strict=True))
    return pd.DataFrame(rows, pd.RangeIndex(len(rows), name="step"), ["you read", "effort", "gain"])


CONTROLS = {"topic": 0.34, "system": 0.3, "from_d1": 0.22, "from_d2": 0.22, "click": 0.22}
LESSON = Lesson("Links", ByLinks, CONTROLS, show, play, moves, seen)
