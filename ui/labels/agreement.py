"""The view Agreement of Labels: how far two sources agree, and on which documents they do not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import figures
from evalcore.data import Collection
from evalcore.labels.figures.judges import cell_name
from evalcore.labels.judges import COEFFICIENTS, Agreement
from evalcore.labels.judges.agreement import ABOUT, usual_pair
from evalcore.meta.resampling import Interval
from ui.address.settings import ANY, setting
from ui.data.compared import OneOf
from ui.labels.source_settings import ONE_SOURCE, OfSources, having_several
from ui.screen.calls import Call, call, line, record
from ui.screen.items import Calls, Figure, Headline, Item, Sentence, Table, Text
from ui.screen.text import counted, markdown, percent, score_text
from ui.stage import show
from ui.widgets.fields import Choice, Field

ALL = "All disagreements"
SYMBOLS = {"agreement": "agreement", "kappa": "κ", "alpha": "α", "AC": "AC"}
CALLED = {"agreement": "raw agreement", "kappa": "Cohen's κ", "alpha": "Krippendorff's α", "AC": "Gwet's AC"}
MOST_LISTED = 200  # documents in a table on the screen; its download has all
COEFFICIENT_HELP = "  \n".join(f"**{CALLED[name]}**: {markdown(text)}" for name, text in ABOUT.items())
WEIGHTS_HELP = (
    "The weight of a disagreement between two grades. none, nominal: 1; linear: their distance; quadratic, interval: "
    "its square; ordinal: the square of the number of labels between them."
)

Cell = tuple[float, float]


def _aspect(page: AgreementSettings) -> Field | None:
    aspects = having_several(page.collection)
    return Choice("Aspect", aspects) if aspects else None


def _first(page: AgreementSettings) -> Field:
    pool = page.collection.assessments
    return Choice("Source", pool.sources[page.aspect].names, usual_pair(pool, page.aspect)[0])


def _second(page: AgreementSettings) -> Field:
    pool = page.collection.assessments
    others = [name for name in pool.sources[page.aspect].names if name != page.a]
    usual = next((name for name in usual_pair(pool, page.aspect)[::-1] if name in others), others[0])
    return Choice("Compared with", others, usual)


def _weights(page: AgreementSettings) -> Field | None:
    ways = COEFFICIENTS[page.coefficient]
    return Choice("Weights", ways, segmented=True, help=WEIGHTS_HELP) if len(ways) > 1 else None


def _cell(page: AgreementSettings) -> Field:
    """Return the choice of a cell that has documents, named as by a click; at first all disagreements."""
    (a, b), cells = page.sources, page.cells
    names = {text: f"{a} {page.named(x)}, {b} {page.named(y)}" for text, (x, y) in cells.items()}
    return OneOf("Documents", [ALL, *cells], ALL, names=lambda text: names.get(text, text))


@dataclass(frozen=True)
class AgreementSettings(OfSources, page="labels", prefix="agreement_"):
    """Settings of the view Agreement: two sources, a coefficient, and the disagreements to list."""

    aspect: str = setting(_aspect)
    a: str = setting(_first, aspect=ANY)
    b: str = setting(_second, aspect=ANY)
    coefficient: str = setting(
        OneOf("Coefficient", list(COEFFICIENTS), "kappa", names=CALLED.__getitem__, help=COEFFICIENT_HELP)
    )
    weights: str | None = setting(_weights)
    cell: str | None = setting(_cell, aspect=ANY)

    @property
    def sources(self) -> tuple[str, str]:
        return self.a, self.b

    @cached_property
    def compared(self) -> Call[Agreement]:
        """The agreement of both sources, from the labels of both."""
        return call("agreement", ec.source_agreement, self.collection, self.sources, self.aspect)

    @property
    def agreement(self) -> Agreement:
        return self.compared.value

    @cached_property
    def over_all(self) -> Call[Interval]:
        """The coefficient over all topics."""
        return line("coefficient", self.compared.it.coefficient(self.coefficient, self.weights or ""))

    @cached_property
    def confusion(self) -> Call[pd.DataFrame]:
        """The documents by both labels, the best first."""
        return line("confusion", self.compared.it.confusion().loc[self.best_first, self.best_first])

    @cached_property
    def cells(self) -> dict[str, Cell]:
        """The labels of the cells that have documents, by their names."""
        listed = self.agreement.cells()
        listed = listed[listed["documents"] > 0].iloc[:, :2]
        return {cell_name(a, b): (float(a), float(b)) for a, b in listed.itertuples(index=False, name=None)}

    @property
    def chosen_cell(self) -> Cell | None:
        """The labels of the chosen cell; None for all disagreements."""
        return self.cells.get(self.cell or ALL)

    @property
    def best_first(self) -> list[float]:
        """The grades, the best first."""
        high = self.collection.assessments.scale(self.agreement.aspect).good == "high"
        return list(self.agreement.grades[::-1] if high else self.agreement.grades)

    @property
    def label(self) -> str:
        """The coefficient as figures call it."""
        symbol, weights = SYMBOLS[self.coefficient], self.weights
        if self.coefficient == "AC":
            return "AC1" if weights == "none" else f"AC2 ({weights})"
        return symbol if weights in (None, "none") else f"{symbol} ({weights})"

    def named(self, grade: float) -> str:
        """A grade with its name."""
        return self.agreement.names[self.agreement.grades.index(grade)]


def draw(collection: Collection) -> None:
    """Draw the view: how far two sources agree, and on which documents they do not."""
    page = AgreementSettings.now(collection)
    left, right = show.two_columns(name="agreement")
    with left:
        page.draw(*(["aspect"] if len(having_several(collection)) > 1 else []))
        page.draw("a", "b", "coefficient", "weights")
        show.put(of_labels(page))
    with right:
        show.screen(answer(page))
    show.explain(*explanation(page))
    with show.errors():
        page.draw("cell")
        show.screen(of_documents(page))
        with st.expander("By topic"):
            show.screen(of_topics(page))
        with st.expander("By grade, and by every coefficient"):
            show.screen(of_grades(page))
            show.screen(of_every(page))


def what_is_missing(collection: Collection) -> str:
    """Say why there is nothing to compare, and what to do; "" if there is something."""
    return "" if having_several(collection) else ONE_SOURCE


def of_labels(page: AgreementSettings) -> Sentence:
    """Say how many documents each source labelled, and how many both."""
    pool, agreement = page.collection.assessments, page.agreement
    labels = {name: pool.judged_by(name).column(agreement.aspect) for name in page.sources}
    each = ", ".join(f"{markdown(name)} {int((~np.isnan(column)).sum()):,}" for name, column in labels.items())
    text = f"Labelled documents: {each}, both {agreement.n_documents:,}."
    return Sentence(text, caption=True, calls=(page.compared,))


def answer(page: AgreementSettings) -> Iterator[Item]:
    """The coefficient with its interval and its basis, the source with the higher labels, and the labels of both."""
    agreement, (a, b) = page.agreement, map(markdown, page.sources)
    if not agreement.n_documents:
        yield Headline(f"**{a}** and **{b}** labelled no document in common, so their agreement is unknown.")
        yield matrix(page)
        return
    same, aspect = line("same", page.compared.it.coefficient("agreement").estimate), markdown(agreement.aspect)
    both = (
        f"{a} and {b} gave **{percent(same.value)}** of {counted(agreement.n_documents, 'document')} the same {aspect}"
    )
    name = page.coefficient
    calls: Calls = (page.over_all, same)
    if why := agreement.why_undefined(name):
        yield Headline(f"**{markdown(page.label)} is undefined**: {markdown(why)}. {both} label.", calls)
        yield matrix(page)
        return
    text = f"**{markdown(page.label)} {bounded(page.over_all.value)}**: {both} label"
    if name == "kappa":
        chance = line("by_chance", page.compared.it.by_chance())
        text += f".  \nBy chance, with each label as frequent as now, they would agree on {percent(chance.value)}"
        calls = (*calls, chance)
    higher = line("higher", page.compared.it.higher())
    yield Headline(
        f"{text}.{tendency(page, *higher.value)}", (*calls, *([_share(higher)] if sum(higher.value) else []))
    )
    if why := agreement.why_no_interval(name, page.weights or ""):
        yield Sentence(f"No interval over topics: {why}.", caption=True)
    yield matrix(page)


def _share(higher: Call[tuple[int, int]]) -> Call[float]:
    """Return the share of disagreements in which the source that labels higher more often does so."""
    return line("higher_share", record(max)(higher.it) / record(sum)(higher.it))


def bounded(value: Interval) -> str:
    """A coefficient with its interval, in Markdown.

    >>> bounded(Interval(0.4321, 0.381, 0.489))
    '0.43 \\\\[0.38, 0.49\\\\]'
    """
    if np.isnan([value.low, value.high]).any():
        return score_text(value.estimate, 2)
    estimate, low, high = (score_text(end, 2) for end in (value.estimate, value.low, value.high))
    return f"{estimate} \\[{low}, {high}\\]"


def tendency(page: AgreementSettings, first: int, second: int) -> str:
    """Name the source that more often gives the higher label on documents where both differ, and how often it does.

    `first` and `second` are the numbers of documents on which the one and the other source gives the higher label.
    """
    if not first + second:
        return ""
    (a, b), apart = map(markdown, page.sources), counted(first + second, "document")
    if first == second:
        return f" They differ on {apart}: both give the higher label equally often."
    higher, count = (a, first) if first > second else (b, second)
    return f" They differ on {apart}: **{higher}** gives the higher label in {percent(count / (first + second))}."


def matrix(page: AgreementSettings) -> Figure:
    """The confusion matrix; a click on a cell lists its documents."""
    names, (a, b) = [page.named(grade) for grade in page.best_first], page.sources
    figure = call("", figures.confusion_matrix, page.confusion.it, names, chosen=page.chosen_cell)
    alt = f"Documents by the labels of {a} (rows) and {b} (columns); all cells are in the table under By grade"
    return Figure(figure, "agreement matrix", alt, on_select=partial(take, page), modes=("points",))


def take(page: AgreementSettings, clicked: list[str]) -> None:
    """List the documents of a clicked cell; ignore a cell without documents."""
    if clicked and clicked[0] in page.cells:
        page.change(cell=clicked[0])


def explanation(page: AgreementSettings) -> tuple[str, str, str]:
    """Explain the figure: what it shows, how to read it, what to try."""
    a, b = map(markdown, page.sources)
    return (
        f"Each cell counts the documents with its label by {a} (row) and its label by {b} (column); its shade is the "
        "share of its row. On the diagonal from the upper left they agree.",
        f"{markdown(page.label)}: {markdown(ABOUT[page.coefficient])}. Brackets hold the 95% interval over topics "
        "(jackknife). No value is good or bad in itself: *Ranking* shows whether the order of systems survives.",
        "Click a cell far from the diagonal: which documents are in it? "
        "Compare κ with AC, which differ if one grade is rare. *By topic* shows whether a few topics cause the result.",
    )


# --- looks ------------------------------------------------------------------------------------------------------------


def of_documents(page: AgreementSettings) -> Iterator[Item]:
    """Table of the documents of a cell, or of all disagreements, the largest disagreements first."""
    cell = page.chosen_cell
    each = call("each", ec.judges.disagreements, page.collection, page.sources, page.agreement.aspect, cell)
    table = each.value
    if not len(table):
        yield Headline("Both sources agree on every document that both labelled.", (each,))
        return
    which = ALL if cell is None else f"{page.a} {page.named(cell[0])}, {page.b} {page.named(cell[1])}"
    yield Headline(f"**{markdown(which)}**: {counted(len(table), 'document')}.", (each,))
    yield Table(
        table.head(MOST_LISTED),
        "disagreements",
        decimals={name: 0 for name in table.columns[2:4] if (table[name] % 1 == 0).all()},
        index=False,
        height=320,
        download=table,
        calls=(each,),
    )
    more = f" The first {MOST_LISTED} of {len(table):,}; the CSV has all." if len(table) > MOST_LISTED else ""
    yield Text.note(f"The documents with these labels, the largest disagreements first.{more}")


def of_topics(page: AgreementSettings) -> Iterator[Item]:
    """The coefficient on each topic."""
    name, weights = page.coefficient, page.weights or ""
    topics = line("topics", page.compared.it.by_topic(name, weights))
    table = topics.value
    lost = int(table["value"].isna().sum())
    if lost:
        why = "all labels on the topic have one grade" if name in ("kappa", "alpha") else "no document has both labels"
        yield Text.note(f"Undefined on {counted(lost, 'topic')}: {why}.")
    whole = page.over_all.it
    figure = call("", figures.topic_agreement, topics.it, page.label, (whole.estimate, whole.low, whole.high))
    alt = f"{page.label} on each of {len(table) - lost} topics; the values are in the table below"
    yield Figure(figure, "agreement topics", alt)
    yield Text.note(
        "Each dot is a topic with its 95% interval over documents; the band is the interval of all topics together. "
        "Topics with few documents, or few agreements on the rarer grades, have wide intervals or none."
    )
    decimals = dict.fromkeys(("agreement", "value", "low", "high"), 3)
    yield Table(table.sort_values("value"), "agreement by topic", decimals=decimals, height=300, calls=(topics,))


def of_grades(page: AgreementSettings) -> Iterator[Item]:
    """Specific agreement on each grade, and all cells of the matrix."""
    yield Text.note(
        "value: specific agreement, twice the number of documents that both gave a grade divided by all labels of that "
        "grade. With two grades it is positive and negative agreement (Cicchetti and Feinstein 1990)."
    )
    decimals = dict.fromkeys(("value", "low", "high", "share"), 3)
    grades, cells = line("grades", page.compared.it.by_grade()), line("cells", page.compared.it.cells())
    decimals |= {name: 0 for name in cells.value.columns[:2] if (cells.value[name] % 1 == 0).all()}
    yield Table(grades.value.loc[page.best_first], "agreement by grade", decimals=decimals, calls=(grades,))
    yield Text.note("Every cell of the matrix; share: its share of the documents in the row.")
    yield Table(cells, "confusion matrix", decimals=decimals, index=False)


def of_every(page: AgreementSettings) -> Iterator[Item]:
    """Table of every coefficient, for these two and for all sources."""
    decimals = dict.fromkeys(("value", "low", "high"), 3)
    yield Table(line("coefficients", page.compared.it.coefficients()), "agreement", decimals=decimals, index=False)
    names = tuple(page.collection.assessments.sources[page.agreement.aspect].labels)  # without derived sources
    if len(names) > 2:
        every = line("every", record(ec.source_agreement)(page.collection, names, page.agreement.aspect).coefficients())
        yield Text.note(f"Agreement of all {len(names)} sources together: {', '.join(map(markdown, names))}.")
        yield Table(every, "agreement of all sources", decimals=decimals, index=False)
    yield Text.note(
        "A value is missing if no disagreement is expected by chance, for instance if all labels have one grade. An "
        "interval is missing with fewer than 5 topics or too few agreements on the rarer grades."
    )
