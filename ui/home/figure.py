"""The figure of Home: two rankings that follow a reader; the best systems of scores; the labels of two judges."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial

import evalcore as ec
from evalcore import figures
from evalcore.common.rounding import percent
from evalcore.data import Collection
from evalcore.figures.draw import score_text
from evalcore.labels.judges import source_agreement
from evalcore.leaderboard import standings
from evalcore.measures import RBP, Measure, nDCG
from ui.address import families, site
from ui.address.settings import Settings, setting
from ui.computing.doubt import firsts, tables
from ui.computing.measures import scores, suggested
from ui.screen.items import At, Figure, Headline, Item, Metric, in_row
from ui.screen.text import markdown, measure_name, reading_name
from ui.understandability.reader import Reader, columns
from ui.widgets.fields import Field, of_parameter

HEIGHT = 400
MOST_LEADERS = 12


def _threshold(card: Card) -> Field | None:
    return card.reader.field("threshold") if card.reader else None


@dataclass(frozen=True)
class Card(Settings, page="home"):
    """The reader whose rankings are compared."""

    rho: float = setting(of_parameter(RBP, "rho", "Persistence ρ"))
    threshold: float | None = setting(_threshold)

    @property
    def reader(self) -> Reader | None:
        """The page Readability as it opens, for a reader who understands from a threshold on; None on one aspect."""
        if not columns(self.collection):
            return None
        return Reader.read(self.collection, {}).with_(model="step", rho=self.rho)

    @property
    def measured_by(self) -> tuple[str, ...]:
        return tuple(map(str, self.pair))

    @cached_property
    def pair(self) -> tuple[Measure, Measure]:
        """RBP, and uRBP; nDCG if documents have one aspect alone."""
        if reader := self.reader:
            return reader.baseline, reader.with_(threshold=self.threshold).variants[0]
        leading = self.collection.leading
        return RBP(rho=self.rho, aspect=leading), nDCG(aspect=leading)


def ranks_documents(collection: Collection) -> bool:
    """Whether there are systems to rank by the labels of their documents."""
    return site.works("understandability", collection) and bool(collection.aspects) and len(collection.systems) > 1


def two_rankings(card: Card) -> Iterator[Item]:
    """How alike both rankings are, who is first by each, and the scatter of systems."""
    listed = card.pair
    frames = [scores(card.collection, measure) for measure in listed]
    (x, y), names = (frame.mean() for frame in frames), [type(measure).__name__ for measure in listed]
    alike, at_top = Metric("τ", score_text(ec.tau(x, y), 3)), Metric("τ_AP", score_text(ec.tau_ap(y, x), 3))
    yield At("numbers", (in_row(alike, at_top),))
    lines = firsts(dict(zip(names, frames, strict=True)))
    up = f"{names[1]} of {listed[1].columns[-1]}"
    doubt, styles = tables(*frames), families.styles(card.collection)
    y_title = figures.plain(up if card.threshold is None else f"{up}, th = {card.threshold:g}")
    make = partial(figures.scatter, x, {names[1]: y}, styles, doubt=doubt, x_title=names[0], y_title=y_title)
    alt = f"Scatter of {len(x)} systems, {names[0]} across, {up} up"
    figure = Figure(make, "home pair", alt, layout={"height": HEIGHT})
    yield At("figure", (Headline("  \n".join(lines)), figure))


def best_systems(collection: Collection) -> Iterator[Item]:
    """The best by the mean of the first score, with their intervals over topics."""
    measure = next(iter(suggested(collection).values()))[0]
    frame = scores(collection, measure)
    table = standings(frame).head(MOST_LEADERS)
    figure = figures.standing_lines(table, families.styles(collection), title="", height=HEIGHT)
    yield Headline(firsts({measure_name(str(measure)): frame})[0])
    alt = f"The best {len(table)} systems by their mean of {reading_name(str(measure))}, with 95% intervals"
    yield Figure(figure, "home leaders", alt)


def judged_twice(collection: Collection) -> str:
    """The first aspect that several sources labelled; "" if there is none."""
    several = collection.assessments.sources.items()
    return next((name for name, sources in several if len(sources.labels) > 1), "")


def two_judges(collection: Collection) -> Iterator[Item]:
    """How far the source that is read unasked and the next one agree, and the labels of both."""
    agreement = source_agreement(collection, (), judged_twice(collection))
    first, second = agreement.sources
    same, kappa = agreement.coefficient("agreement").estimate, agreement.coefficient("kappa").estimate
    share = percent(agreement.n_documents / agreement.labelled) if agreement.labelled else "none"
    yield Headline(
        f"**{markdown(first)}** and **{markdown(second)}** give {percent(same)} of {agreement.n_documents:,} documents "
        f"the same label; beyond chance, κ is {score_text(kappa, 3)}. Both labelled {share} of the documents that "
        "either did."
    )
    order = [*agreement.grades[::-1]]
    figure = figures.confusion_matrix(agreement.confusion().loc[order, order], [*agreement.names[::-1]])
    yield Figure(figure, "home judges", f"Documents by the labels of {first}, downwards, and of {second}, across")
