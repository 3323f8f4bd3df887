"""The view Few human labels on the page Labels: scores from few human labels and many labels of a model."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

import evalcore as ec
from evalcore import InputError
from evalcore.data import Collection
from evalcore.labels.combining import COMBINED, HUMAN, LINES, MODEL, Combined, KeptLabels, TwoSources
from evalcore.labels.combining.human_labels import ALL_LABELS
from evalcore.labels.judges.rescoring import graded_aspect, sums_gains
from evalcore.meta import leaders
from ui.address import families
from ui.address.highlight import Highlight
from ui.address.settings import setting
from ui.computing.cached import cached
from ui.computing.doubt import doubt_calls, firsts
from ui.computing.measures import of_measure
from ui.data.compared import OneOf
from ui.labels import texts
from ui.labels.ranking_settings import usual_measure
from ui.labels.source_settings import OfSources
from ui.screen.calls import Call, call, line
from ui.screen.items import Figure, Headline, Item, Metric, Table, Text, in_row
from ui.screen.text import counted, markdown
from ui.shell import live
from ui.stage import show
from ui.widgets.fields import Field, of_parameter

MOST_KEPT = 16  # most scores kept, one for each measure and pair of sources
CALLED = {COMBINED: "both together", HUMAN: "human labels alone", MODEL: "the model alone"}


def _human(look: CombinedLook) -> Field | None:
    names = look.given
    return OneOf("People", names, names[0], help="The source whose labels count as truth") if len(names) > 1 else None


def _model(look: CombinedLook) -> Field | None:
    others = [name for name in look.given if name != look.human]
    return OneOf("Model", others, others[-1], help="The source with many labels that may be wrong") if others else None


def _topics(look: CombinedLook) -> Field:
    usual = 1.0 if look.in_part or look.has_gaps else 0.2
    return of_parameter(KeptLabels, "topics", "Topics", default=usual, format="percent")


def _share(look: CombinedLook) -> Field | None:
    if not look.in_part:
        return None
    return of_parameter(KeptLabels, "share", "Documents", default=1.0 if look.has_gaps else 0.1, format="percent")


@dataclass(frozen=True)
class CombinedLook(OfSources, page="labels", prefix="combined_"):
    """Settings: the measure, the two sources to combine, and which human labels to hide as if they were missing."""

    measure: str = setting(lambda look: of_measure(look.collection, "Measure", usual_measure(look.collection)))
    human: str | None = setting(_human)
    model: str | None = setting(_model)
    topics: float = setting(_topics)
    share: float | None = setting(_share)
    depth: int | None = setting(of_parameter(KeptLabels, "depth", "Top ranks, always kept", high=20), in_part=True)
    seed: int = setting(of_parameter(KeptLabels, "seed", "Seed"))

    @property
    def in_part(self) -> bool:
        """True if the measure needs labels for only some of a topic's documents."""
        return bool(self.measure) and sums_gains(self.measure, self.collection.assessments)

    @property
    def has_gaps(self) -> bool:
        """True if the human source lacks labels that another source has; then no labels are hidden by default."""
        with suppress(InputError):
            pool = self.collection.assessments
            sources = pool.sources.get(graded_aspect(self.measure, self.collection))
            if sources is None or self.human not in sources.labels:
                return False
            lacking = np.isnan(sources.labels[self.human])
            return any((lacking & ~np.isnan(labels)).any() for labels in sources.labels.values())
        return False

    @property
    def kept(self) -> KeptLabels:
        """The rule for the human labels to keep: shares of topics and labels, top ranks, and seed."""
        return KeptLabels(1.0 if self.share is None else self.share, self.topics, self.depth or 0, self.seed)

    @property
    def drawn(self) -> dict[str, float]:
        """{"seed": the seed} if any labels are hidden; {} otherwise."""
        return {"seed": self.seed} if self.kept.hides else {}

    @property
    def asked(self) -> tuple[str, Collection, str | None, str | None]:
        """First arguments of `ec.combine`: measure, collection, model and human source."""
        return self.measure, self.collection, self.model, self.human

    @property
    def hidden(self) -> dict[str, Any]:
        """The labels to keep, as the option `kept` of `ec.combine` and related functions; {} if all are kept."""
        return {"kept": str(self.kept)} if self.kept.hides else {}


def draw(collection: Collection) -> None:
    """Draw the view Few human labels."""
    left, right = show.two_columns(name="combined")
    with left:
        look, highlight = CombinedLook.now(collection), Highlight.now(collection)
        look.draw("measure", "human", "model")
        st.caption(texts.KEPT)
        look.draw("topics", "share")
        highlight.draw("systems")
        with st.expander("More settings"):
            look.draw("depth", "seed")
    if look.human is None or look.model is None:
        right.info(texts.NO_SOURCES)
        return
    with right, show.errors():
        live.follow(look, lambda look: both(look, highlight), "topics", "share", "depth", curve="worth")
    show.explain(*texts.READING_FEW_LABELS)
    with show.errors():
        show.screen(scores(look))


def combined(look: CombinedLook) -> Call[Combined]:
    """Return the call that computes the scores with both sources, without the hidden labels."""
    return call("combined", ec.combine, *look.asked, **look.hidden).by(_combine)


def _combine(
    measure: str, collection: Collection, model: str, human: str, kept: str | KeptLabels = ALL_LABELS
) -> Combined:
    """Return the result of `ec.combine`, computed in two steps; the first is cached, because no slider changes it."""
    sources = _read(measure, collection, model, human)
    return sources.combined(sources.kept(kept))


@cached(MOST_KEPT)
def _read(measure: str, collection: Collection, model: str, human: str) -> TwoSources:
    return TwoSources.of(measure, collection, model, human)


def both(look: CombinedLook, highlight: Highlight) -> Iterator[Item]:
    """Yield the winner with each set of labels, the worth of the model's labels, and the scores."""
    estimate = combined(look)
    result = estimate.value
    by = [line("", estimate.it.scores[name]) for name in LINES]
    yield Headline(sentences(result), (estimate, *doubt_calls(*by)))
    labels = line("n_labels", estimate.it.n_labels)
    yield in_row(
        Metric.of("human labels", labels, f"Of {counted(result.n_topics, 'topic')}", form=","),
        Metric.of("worth", line("worth", estimate.it.worth), texts.WORTH, form=".2f"),
        Metric.of("κ", line("kappa", estimate.it.agreement.estimate), texts.KAPPA, form=".2f"),
    )
    figure = families.plotted("", look.collection, estimate.it).here(selected=highlight.systems)
    alt = texts.both_together(look.human, look.model)
    yield Figure(figure, "combined", alt, highlight.take, ("points",), drawn=look.drawn)


def sentences(result: Combined) -> str:
    """Return lines that name the winner with each set of labels, and with all human labels if some are hidden.

    A further line gives the reason if the model's labels do not help.
    """
    lines = firsts({CALLED[name]: result.scores[name] for name in LINES})
    if result.all_labels is not None and result.n_hidden:
        lines.append(texts.hidden_winner(leaders(result.all_labels)))
    if why := result.why_no_help:
        lines.append(f"The model's labels do not help: {markdown(why)}.")
    return "  \n".join(lines)


def scores(look: CombinedLook) -> Iterator[Item]:
    """Yield the table of all scores, intervals and ranks."""
    estimate = combined(look)
    table = line("table", estimate.it.table)
    yield Text.note(texts.reading_intervals(estimate.value.assumption))
    decimals = {str(name): 0 for name in table.value if "rank" in str(name)} | {"narrower": 2}
    yield Table(table, "both together", decimals=decimals, height=420, drawn=look.drawn)
