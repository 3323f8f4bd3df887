"""Figure on Home for collections of scores without documents: the best systems, with their intervals over topics."""

from __future__ import annotations

from collections.abc import Iterator

from evalcore import figures
from evalcore.data import Collection
from evalcore.leaderboard import standings
from ui.address import families
from ui.computing.doubt import firsts
from ui.computing.measures import scores, suggested
from ui.leaderboard import texts
from ui.screen.items import Figure, Headline, Item
from ui.screen.text import measure_name, reading_name

HEIGHT = 400
MOST_LEADERS = 12


def fits(collection: Collection) -> bool:
    """Return True if the collection has given scores of several systems."""
    return "scores" in collection.has and len(collection.systems) > 1


def draw(collection: Collection) -> Iterator[Item]:
    """Yield the leader and a figure of the best systems by mean score, with their intervals over topics."""
    measure = next(iter(suggested(collection).values()))[0]
    frame = scores(collection, measure)
    table = standings(frame).head(MOST_LEADERS)
    figure = figures.standing_lines(table, families.styles(collection), title="", height=HEIGHT)
    yield Headline(firsts({measure_name(str(measure)): frame})[0])
    yield Figure(figure, "home leaders", texts.best(len(table), reading_name(str(measure))))
