"""The view Agreement on the page Labels: the agreement of two sources, and the documents they label differently."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import figures
from evalcore.common.cached import cached_property
from evalcore.data import Collection
from evalcore.labels.figures.judges import cell_name
from evalcore.labels.judges import COEFFICIENTS, Agreement
from evalcore.labels.judges.agreement import ABOUT, usual_pair
from evalcore.meta.resampling import Interval
from ui.address.settings import ANY, setting
from ui.data.compared import OneOf
from ui.labels import texts
from ui.labels.source_settings import ONE_SOURCE, OfSources, having_several
from ui.screen.calls import Call, call, line, record
from ui.screen.items import Calls, Figure, Headline, Item, Sentence, Table, Text
from ui.screen.text import counted, markdown
from ui.stage import show
from ui.widgets.fields import Choice, Field

ALL = "All disagreements"
SYMBOLS = {"agreement": "agreement", "kappa": "κ", "alpha": "α", "AC": "AC"}
CALLED = {"agreement": "raw agreement", "kappa": "Cohen's κ", "alpha": "Krippendorff's α", "AC": "Gwet's AC"}
MOST_LISTED = 200  # most documents in a table; the download has all
LEGEND = "  \n".join(f"**{CALLED[name]}**: {markdown(text)}" for name, text in ABOUT.items())
WEIGHTS_HELP = (
    "The weight of a disagreement between two grades. *none* and *nominal*: 1; *linear*: their distance; *quadratic* "
    "and *interval*: its square; *ordinal*: the square of the number of labels between the grades."
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
    """Return the field that chooses a non-empty cell of the matrix; the default is all disagreements."""
    (a, b), cells = page.sources, page.cells
    names = {text: f"{a} {page.named(x)}, {b} {page.named(y)}" for text, (x, y) in cells.items()}
    return OneOf("Documents", [ALL, *cells], ALL, names=lambda text: names.get(text, text))


@dataclass(frozen=True)
class AgreementSettings(OfSources, page="labels", prefix="agreement_"):
    """Settings of the view Agreement: two sources, a coefficient, and the disagreements to list."""

    aspect: str = setting(_aspect)
    a: str = setting(_first, aspect=ANY)
    b: str = setting(_second, aspect=ANY)
    coefficient: str = setting(OneOf("Coefficient", list(COEFFICIENTS), "kappa", names=CALLED.__getitem__, help=LEGEND))
    weights: str | None = setting(_weights)
    cell: str | None = setting(_cell, aspect=ANY)

    @property
    def sources(self) -> tuple[str, str]:
        return self.a, self.b

    @cached_property
    def compared(self) -> Call[Agreement]:
        """The call that computes the agreement of both sources."""
        return call("agreement", ec.source_agreement, self.collection, self.sources, self.aspect)

    @property
    def agreement(self) -> Agreement:
        return self.compared.value

    @cached_property
    def over_all(self) -> Call[Interval]:
        """The call that computes the coefficient with its interval, over all topics."""
        return line("coefficient", self.compared.it.coefficient(self.coefficient, self.weights or ""))

    @cached_property
    def confusion(self) -> Call[pd.DataFrame]:
        """The call that computes the confusion matrix of both sources, the best grade first."""
        return line("confusion", self.compared.it.confusion().loc[self.best_first, self.best_first])

    @cached_property
    def cells(self) -> dict[str, Cell]:
        """Map the name of each non-empty cell to its two labels, as numbers."""
        listed = self.agreement.cells()
        listed = listed[listed["documents"] > 0].iloc[:, :2]
        return {cell_name(a, b): (float(a), float(b)) for a, b in listed.itertuples(index=False, name=None)}

    @property
    def chosen_cell(self) -> Cell | None:
        """The two labels of the chosen cell; None for all disagreements."""
        return self.cells.get(self.cell or ALL)

    @property
    def best_first(self) -> list[float]:
        """The grades, the best first."""
        high = self.collection.assessments.scale(self.agreement.aspect).good == "high"
        return list(self.agreement.grades[::-1] if high else self.agreement.grades)

    @property
    def label(self) -> str:
        """Name of the coefficient in figures."""
        symbol, weights = SYMBOLS[self.coefficient], self.weights
        if self.coefficient == "AC":
            return "AC1" if weights == "none" else f"AC2 ({weights})"
        return symbol if weights in (None, "none") else f"{symbol} ({weights})"

    def named(self, grade: float) -> str:
        """Return the name of a grade, given as a number."""
        return self.agreement.names[self.agreement.grades.index(grade)]


def draw(collection: Collection) -> None:
    """Draw the view: the agreement of two sources, and the documents that they label differently."""
    page = AgreementSettings.now(collection)
    left, right = show.two_columns(name="agreement")
    with left:
        page.draw(*(["aspect"] if len(having_several(collection)) > 1 else []))
        page.draw("a", "b", "coefficient", "weights")
        show.put(of_labels(page))
    with right:
        show.screen(answer(page))
    show.explain(*texts.reading_agreement(*page.sources, page.label, page.coefficient))
    with show.errors():
        page.draw("cell")
        show.screen(of_documents(page))
        with st.expander("By topic"):
            show.screen(of_topics(page))
        with st.expander("By grade, and all coefficients"):
            show.screen(of_grades(page))
            show.screen(of_every(page))


def what_is_missing(collection: Collection) -> str:
    """Explain why there is nothing to compare, and what to do; "" if there is something to compare."""
    return "" if having_several(collection) else ONE_SOURCE


def of_labels(page: AgreementSettings) -> Sentence:
    """State how many documents each source labelled, and how many both sources labelled."""
    pool, agreement = page.collection.assessments, page.agreement
    labels = {name: pool.judged_by(name).column(agreement.aspect) for name in page.sources}
    each = {name: int((~np.isnan(column)).sum()) for name, column in labels.items()}
    return Sentence(texts.labelled(each, agreement.n_documents), caption=True, calls=(page.compared,))


def answer(page: AgreementSettings) -> Iterator[Item]:
    """Yield the coefficient with its interval, the share of equal labels, and the confusion matrix."""
    agreement, name = page.agreement, page.coefficient
    if not agreement.n_documents:
        yield Headline(texts.none_in_common(*page.sources))
        yield matrix(page)
        return
    same = line("same", page.compared.it.coefficient("agreement").estimate)
    both = texts.same_labels(*page.sources, same.value, agreement.n_documents, agreement.aspect)
    calls: Calls = (page.over_all, same)
    if why := agreement.why_undefined(name):
        yield Headline(texts.undefined(page.label, why, both), calls)
        yield matrix(page)
        return
    text = f"**{markdown(page.label)} {texts.bounded(page.over_all.value)}**: {both}"
    if name == "kappa":
        chance = line("by_chance", page.compared.it.by_chance())
        text += f".  \n{texts.by_chance(chance.value)}"
        calls = (*calls, chance)
    higher = line("higher", page.compared.it.higher())
    calls = (*calls, *([_share(higher)] if sum(higher.value) else []))
    yield Headline(f"{text}.{texts.tendency(*page.sources, *higher.value)}", calls)
    if why := agreement.why_no_interval(name, page.weights or ""):
        yield Sentence(f"No interval over topics: {why}.", caption=True)
    yield matrix(page)


def _share(higher: Call[tuple[int, int]]) -> Call[float]:
    """Return the call that computes how often one source gives the higher label, as a share of the disagreements.

    It is the source that gives the higher label more often.
    """
    return line("higher_share", record(max)(higher.it) / record(sum)(higher.it))


def matrix(page: AgreementSettings) -> Figure:
    """Return the figure of the confusion matrix; a click on a cell lists its documents."""
    names, alt = [page.named(grade) for grade in page.best_first], texts.confusion(*page.sources)
    figure = call("", figures.confusion_matrix, page.confusion.it, names, chosen=page.chosen_cell)
    return Figure(figure, "agreement matrix", alt, on_select=partial(take, page), modes=("points",))


def take(page: AgreementSettings, clicked: list[str]) -> None:
    """List the documents of a clicked cell; ignore a cell without documents."""
    if clicked and clicked[0] in page.cells:
        page.change(cell=clicked[0])


# --- parts below the matrix -------------------------------------------------------------------------------------------


def of_documents(page: AgreementSettings) -> Iterator[Item]:
    """Yield the table of the documents in the chosen cell, or of all disagreements, the largest disagreements first."""
    cell = page.chosen_cell
    each = call("each", ec.judges.disagreements, page.collection, page.sources, page.agreement.aspect, cell)
    table = each.value
    if not len(table):
        yield Headline(texts.ALL_AGREE, (each,))
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
    yield Text.note(texts.first_of(MOST_LISTED, len(table)))


def of_topics(page: AgreementSettings) -> Iterator[Item]:
    """Yield the coefficient on each topic, as a figure and as a table."""
    name, weights = page.coefficient, page.weights or ""
    topics = line("topics", page.compared.it.by_topic(name, weights))
    table = topics.value
    lost = int(table["value"].isna().sum())
    if lost:
        yield Text.note(texts.undefined_topics(lost, one_grade=name in ("kappa", "alpha")))
    whole = page.over_all.it
    figure = call("", figures.topic_agreement, topics.it, page.label, (whole.estimate, whole.low, whole.high))
    yield Figure(figure, "agreement topics", texts.by_topic(page.label, len(table) - lost))
    yield Text.note(texts.READING_TOPICS)
    decimals = dict.fromkeys(("agreement", "value", "low", "high"), 3)
    yield Table(table.sort_values("value"), "agreement by topic", decimals=decimals, height=300, calls=(topics,))


def of_grades(page: AgreementSettings) -> Iterator[Item]:
    """Yield the specific agreement on each grade, and all cells of the matrix."""
    yield Text.note(texts.READING_GRADES)
    decimals = dict.fromkeys(("value", "low", "high", "share"), 3)
    grades, cells = line("grades", page.compared.it.by_grade()), line("cells", page.compared.it.cells())
    decimals |= {name: 0 for name in cells.value.columns[:2] if (cells.value[name] % 1 == 0).all()}
    yield Table(grades.value.loc[page.best_first], "agreement by grade", decimals=decimals, calls=(grades,))
    yield Text.note(texts.READING_CELLS)
    yield Table(cells, "confusion matrix", decimals=decimals, index=False)


def of_every(page: AgreementSettings) -> Iterator[Item]:
    """Yield the table of every coefficient for these two sources, and for all sources if there are more."""
    decimals = dict.fromkeys(("value", "low", "high"), 3)
    yield Table(line("coefficients", page.compared.it.coefficients()), "agreement", decimals=decimals, index=False)
    names = tuple(page.collection.assessments.sources[page.agreement.aspect].labels)  # without derived sources
    if len(names) > 2:
        every = line("every", record(ec.source_agreement)(page.collection, names, page.agreement.aspect).coefficients())
        yield Text.note(texts.all_sources(names))
        yield Table(every, "agreement of all sources", decimals=decimals, index=False)
    yield Text.note(texts.MISSING_VALUES)
