"""A part of the view Pool and noise on the page Labels: the ranking with random errors in the labels."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import evalcore as ec
from evalcore import InputError
from evalcore.common.rounding import TIE, percent
from evalcore.data import Collection
from evalcore.labels.judges import WAYS, NoiseCurve
from evalcore.labels.judges.noise import LEVELS, way_of
from evalcore.labels.judges.rescoring import sums_gains
from ui.address.families import plotted_plain
from ui.address.settings import Settings, setting
from ui.computing import work
from ui.computing.measures import of_measure, offered
from ui.data.compared import OneOf, one_of
from ui.labels import texts
from ui.labels.source_settings import no_exchange
from ui.screen.calls import Call, call, each, line
from ui.screen.items import Figure, Headline, Item, Metric, Table, in_row
from ui.screen.text import reading_name, score_text
from ui.shell import live
from ui.stage import show
from ui.widgets.fields import Choice, Field, Number

AS_MEASURED = "as measured"
DRAWS = (20, 50, 200)
DRAWN = "drawn from the disagreements of two sources"
WORDS = {"neighbour": "a neighbouring grade", "any": "any other grade", AS_MEASURED: DRAWN}
LEVEL_HELP = "The expected share of wrong labels. If you raise it, new errors are added to the earlier ones."
WANTED_HELP = "The τ above which rankings are considered equivalent (Voorhees 2001)"
DRAWS_HELP = "The number of random draws at each level; the same draws are used at all levels"


def usual_measure(collection: Collection) -> str:
    """Return the text of the first suggested measure that reads an aspect with two or more grades; "" if none does."""
    return next((text for text in offered(collection) if aspects_of(text, collection)), "")


def aspects_of(measure: str, collection: Collection) -> list[str]:
    """Return the aspects with two or more grades that a measure reads; [] for an invalid measure."""
    aspects = []
    with suppress(InputError):
        for name in ec.parse(measure).columns:
            with suppress(InputError):
                if name in collection.aspects and way_of(collection, name):
                    aspects.append(name)
    return aspects


def _aspect(look: NoiseLook) -> Field | None:
    aspects = aspects_of(look.measure, look.collection)
    return OneOf("Labels of", aspects, aspects[0]) if aspects else None


def _sources(look: NoiseLook) -> tuple[str, ...]:
    """Return the sources of the labels of the aspect; () if it has only one."""
    pool = look.collection.assessments
    return pool.sources[look.aspect].names if look.aspect in pool.sources else ()


def _way(look: NoiseLook) -> Field:
    several = len(_sources(look)) > 1
    ways = [way for way in WAYS if several or way != AS_MEASURED]
    help = "; ".join(f"{WORDS[way]}: {WAYS[way]}" for way in ways)
    also = (("as two sources differ", AS_MEASURED),)
    return Choice("A wrong label is", ways, names=WORDS.__getitem__, help=help, also=also)


def _measured(look: NoiseLook) -> tuple[str, ...]:
    """Return the sources whose differences can serve as errors; () for other kinds of errors."""
    return _sources(look) if look.way == AS_MEASURED else ()


def _level(look: NoiseLook) -> Field | None:
    """Return the slider for the share of wrong labels, up to the highest possible; None if no label can be wrong."""
    reached = [level for level in LEVELS if level <= look.most + TIE]
    if len(reached) < 2:
        return None
    return Number("Wrong labels", 0.0, reached[-1], 0.1, LEVELS[1], format="percent", help=LEVEL_HELP)


def _draws(look: NoiseLook) -> Field:
    """Return the field for the number of draws; the default is smaller if every draw must be scored separately."""
    quick = look.aspect is not None and sums_gains(look.measure, look.collection.assessments)
    return Choice("Draws", DRAWS, 50 if quick else 20, help=DRAWS_HELP)


@dataclass(frozen=True)
class NoiseLook(Settings, page="labels", prefix="noise_"):
    """Settings: the labels with errors, the kind of error, the share of wrong labels, and the draws."""

    measure: str = setting(lambda look: of_measure(look.collection, "Measure", usual_measure(look.collection)))
    aspect: str | None = setting(_aspect)
    way: str = setting(_way)
    first: str | None = one_of("One source", 0, _measured)
    second: str | None = one_of("and another", 1, _measured)
    level: float | None = setting(_level)
    wanted: float = setting(Number("τ to keep", 0.5, 0.99, 0.9, 0.01, format="%.2f", help=WANTED_HELP))
    draws: int = setting(_draws)
    seed: int = setting(Number("Seed", 0, 100, 0, 1, help="A different seed gives different draws"))

    @property
    def pair(self) -> tuple[str, str] | None:
        """The two sources whose differences are the errors; None for other kinds of errors."""
        return None if self.first is None else (self.first, str(self.second))

    @property
    def most(self) -> float:
        """The highest share of wrong labels; 0 if this kind of error cannot occur."""
        if self.aspect is None:
            return 0.0
        with suppress(InputError):
            return way_of(self.collection, self.aspect, self.way, self.pair).most
        return 0.0

    @property
    def draws_of(self) -> dict[str, Any]:
        """Options of `ec.noise_curve`, by name: the aspect, the number of draws and the seed.

        The options also have two sources, if the differences between these sources are the errors.
        """
        pair = {"sources": self.pair} if self.pair else {}
        return {"aspect": self.aspect, **pair, "n_draws": self.draws, "seed": self.seed}

    @property
    def drawn(self) -> dict[str, int]:
        return {"draws": self.draws, "seed": self.seed}


def draw(collection: Collection, left: DeltaGenerator, right: DeltaGenerator) -> None:
    """Draw the settings on the left, and the curve on the right."""
    with left:
        look = NoiseLook.now(collection)
        look.draw("measure", "aspect", "way", "first", "second")
        look.draw("level", "wanted")
        with st.expander("More settings"):
            look.draw("draws", "seed")
    curve = None
    with right, show.errors():
        curve = draws(look)
        if curve is not None:
            live.follow(look, lambda look: along(look, curve), "level", "wanted", curve="τ")
    if curve is None:
        return
    show.explain(*texts.READING_NOISE)
    with st.expander("The numbers as a table"):
        table = curve.value.table.reset_index()
        show.put(Table(table, "noise by level", index=False, height=320, drawn=look.drawn, calls=(curve,)))


def what_is_missing(collection: Collection) -> str:
    """Explain why there is nothing to show, and what to do; "" if there is something to show."""
    if lack := no_exchange(collection):
        return lack
    if not usual_measure(collection):
        return texts.ONE_GRADE
    return ""


def draws(look: NoiseLook) -> Call[NoiseCurve] | None:
    """Return the call that computes the rankings at each share of wrong labels; None if the work was stopped.

    Raises InputError if no label can be wrong.
    """
    if look.level is None:
        _ = look.aspect and way_of(look.collection, look.aspect, look.way, look.pair)
        raise InputError(texts.no_grades(look.measure))
    curve = call("curve", ec.noise_curve, look.measure, look.collection, look.way, **look.draws_of)
    return work.worked(curve, look.collection, "Drawing wrong labels", tells="progress")


def along(look: NoiseLook, curve: Call[NoiseCurve]) -> Iterator[Item]:
    """Yield the effect of the chosen share of wrong labels, and the curve over all shares."""
    here = line("here", curve.it.at(look.level or 0.0))
    enough = line("levels", [curve.it.level_where(look.wanted, column) for column in ("tau", "tau_low")])
    kappas = line("kappas", each(enough.it, lambda level: curve.it.kappa_at(level)))
    row, last = here.value, float(curve.value.table.index[-1])
    needs = texts.needed(look.wanted, enough.value, kappas.value, last)
    words = texts.wrong_labels(look.level or 0.0, curve.value, row, needs)
    yield Headline(words, (here, enough, kappas))
    between = texts.draws_between(row)
    yield in_row(
        Metric("τ", score_text(row["tau"], 3), help=f"Mean over draws; 95% of the draws: {between}", calls=(here,)),
        Metric("Winner stays", percent(float(row["winner_stays"])), help="Share of the draws", calls=(here,)),
        Metric("κ", score_text(row["kappa"], 2), help=texts.KAPPA_OF_ERRORS, calls=(here,)),
    )
    figure = plotted_plain("", curve.it, level=look.level, wanted=look.wanted)
    yield Figure(figure, "noise", texts.noise(reading_name(look.measure)), drawn=look.drawn)
