"""Do two sources say the same of the same documents, and where they do not, what does that do to the systems?"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import ClassVar

import numpy as np
import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import figures
from evalcore.data import Collection
from evalcore.figures.endless import score_text
from evalcore.figures.judges import cell_name
from evalcore.judges import COEFFICIENTS, Agreement, disagreements, source_agreement, swapped_cell
from evalcore.judges.agreement import ABOUT, usual_pair
from evalcore.measures import Measure
from evalcore.meta.resampling import Interval
from evalcore.progress import Tell, telling
from evalcore.rounding import percent
from ui.address.families import named
from ui.address.settings import Settings, setting
from ui.computing import parts, work
from ui.computing.measures import of_measure
from ui.computing.work import Job
from ui.data.as_python import as_python
from ui.data.compared import OneOf
from ui.screen.items import Figure, Headline, Sentence, Table
from ui.screen.text import counted, markdown
from ui.stage import show
from ui.widgets.beside import two_columns
from ui.widgets.fields import Choice, Field

ALL = "All disagreements"
VIEWS = DOCUMENTS, TOPICS, GRADES, EVERY = ("Documents", "By topic", "By grade", "All coefficients")
SYMBOLS = {"agreement": "agreement", "kappa": "κ", "alpha": "α", "AC": "AC"}
CALLED = {"agreement": "raw agreement", "kappa": "Cohen's κ", "alpha": "Krippendorff's α", "AC": "Gwet's AC"}
MOST_LISTED = 200  # documents in a table on the screen; its files have all
COEFFICIENT_HELP = "  \n".join(f"**{CALLED[name]}**: {markdown(said)}" for name, said in ABOUT.items())
WEIGHTS_HELP = (
    "How much two different grades disagree. none, nominal: wholly; linear: by their distance; quadratic, interval: by "
    "its square; ordinal: by the square of how many labels lie between them."
)
MEASURE_HELP = "By which the systems are scored, with one label or the other"

Cell = tuple[float, float]


def having_several(collection: Collection) -> list[str]:
    """The aspects that have several sources of labels."""
    return [name for name, one in collection.assessments.sources.items() if len(one.names) > 1]


def _aspect(page: AgreementSettings) -> Field | None:
    found = having_several(page.collection)
    return Choice("Aspect", found) if found else None


def _first(page: AgreementSettings) -> Field | None:
    if page.aspect is None:
        return None
    pool = page.collection.assessments
    return Choice("Source", pool.sources[page.aspect].names, usual_pair(pool, page.aspect)[0])


def _second(page: AgreementSettings) -> Field | None:
    if page.aspect is None:
        return None
    pool = page.collection.assessments
    others = [name for name in pool.sources[page.aspect].names if name != page.a]
    usual = next((name for name in usual_pair(pool, page.aspect)[::-1] if name in others), others[0])
    return Choice("Set against", others, usual)


def _weights(page: AgreementSettings) -> Field | None:
    ways = COEFFICIENTS[page.coefficient]
    return Choice("Weights", ways, segmented=True, help=WEIGHTS_HELP) if len(ways) > 1 else None


def _cell(page: AgreementSettings) -> Field | None:
    """The cells that have documents, as a click names them; at first all but those on which both agree."""
    if page.aspect is None:
        return None
    (a, b), cells = page.sources, page.cells
    said = {text: f"{a} {page.named(x)}, {b} {page.named(y)}" for text, (x, y) in cells.items()}
    return OneOf("Documents", [ALL, *cells], ALL, names=lambda one: said.get(one, one))


def _measure(page: AgreementSettings) -> Field | None:
    if page.aspect is None:
        return None
    usual = str(ec.parse("RBP").with_(aspect=page.aspect))
    return of_measure(page.collection, "Measure", usual)


@dataclass(frozen=True)
class AgreementSettings(Settings):
    """Which sources are compared, by which coefficient, and which of their disagreements are looked at."""

    PAGE: ClassVar[str | None] = "labels"
    PREFIX: ClassVar[str] = "agreement_"

    aspect: str | None = setting(_aspect)
    a: str = setting(_first)
    b: str = setting(_second)
    coefficient: str = setting(
        OneOf("Coefficient", list(COEFFICIENTS), "kappa", names=CALLED.__getitem__, help=COEFFICIENT_HELP)
    )
    weights: str | None = setting(_weights)
    view: str = setting(Choice("Details", VIEWS, segmented=True))
    cell: str | None = setting(_cell)
    measure: str | None = setting(_measure)

    @property
    def all_measures(self) -> tuple[str, ...]:
        """None: sources are compared on the topics that each of them labelled."""
        return ()

    @property
    def sources(self) -> tuple[str, str]:
        return self.a, self.b

    @cached_property
    def found(self) -> Agreement:
        """The labels of both."""
        return source_agreement(self.collection, self.sources, self.aspect)

    @cached_property
    def cells(self) -> dict[str, Cell]:
        """The labels of the cells that have documents, by their names."""
        listed = self.found.cells()
        listed = listed[listed["documents"] > 0].iloc[:, :2]
        return {cell_name(a, b): (float(a), float(b)) for a, b in listed.itertuples(index=False, name=None)}

    @property
    def chosen_cell(self) -> Cell | None:
        """The labels of the chosen cell; None for all disagreements."""
        return self.cells.get(self.cell or ALL)

    @property
    def best_first(self) -> list[float]:
        """The grades, the best first."""
        high = self.collection.assessments.scale(self.found.aspect).good == "high"
        return list(self.found.grades[::-1] if high else self.found.grades)

    @property
    def label(self) -> str:
        """The coefficient as figures call it."""
        symbol, weights = SYMBOLS[self.coefficient], self.weights
        if self.coefficient == "AC":
            return "AC1" if weights == "none" else f"AC2 ({weights})"
        return symbol if weights in (None, "none") else f"{symbol} ({weights})"

    @property
    def parsed(self) -> Measure:
        return ec.parse(str(self.measure))

    def named(self, grade: float) -> str:
        """A grade with its name."""
        return self.found.names[self.found.grades.index(grade)]


def draw(collection: Collection) -> None:
    """The look: how far two sources agree, and what their disagreements do."""
    if not having_several(collection):
        say_how_to_add(collection)
        return
    page = AgreementSettings.now(collection)
    left, right = two_columns(name="agreement")
    with left:
        page.draw(*(["aspect"] if len(having_several(collection)) > 1 else []))
        page.draw("a", "b", "coefficient", "weights")
        of_labels(page)
    with right:
        headline(page)
        matrix(page)
    show.explain(*explanation(page))
    page.draw("view")
    with show.errors():
        LOOKS[page.view](page)
    as_python(collection, *code(page))


def say_how_to_add(collection: Collection) -> None:
    """Why there is nothing to compare, and the lines of a collection.toml that change it."""
    aspect = (collection.aspects or ("relevance",))[0]
    st.info(
        "Each aspect of the open collection has one source of labels, so there is nothing to compare. Add the labels "
        "of another assessor, of an LLM judge or of another run of one as a file of its own, on the same scale, and "
        "name it in the collection.toml (page Collection):",
        icon=":material/info:",
    )
    st.code(
        f'[aspects.{aspect}]\nfile = "qrels.txt"\nsource = "assessors"\n\n'
        f'[aspects.{aspect}.sources.llm]\nfile = "qrels_llm.txt"',
        language="toml",
    )


def of_labels(page: AgreementSettings) -> None:
    """How many documents each labelled, and both."""
    pool, aspect = page.collection.assessments, page.found.aspect
    counts = [int((~np.isnan(pool.judged_by(one).column(aspect))).sum()) for one in page.sources]
    each = ", ".join(f"{markdown(one)} {count:,}" for one, count in zip(page.sources, counts, strict=True))
    show.put(Sentence(f"Labelled documents: {each}, both {page.found.n_documents:,}.", caption=True))


def headline(page: AgreementSettings) -> None:
    """The coefficient with its doubt, what it is made of, and who gives the higher labels."""
    found, (a, b) = page.found, map(markdown, page.sources)
    name, aspect = page.coefficient, markdown(page.found.aspect)
    if not found.n_documents:
        show.put(Headline(f"**{a}** and **{b}** labelled no document in common: their agreement cannot be known."))
        return
    both = f"{a} and {b} gave **{percent(raw(found))}** of {counted(found.n_documents, 'document')} the same {aspect}"
    value = found.coefficient(name, page.weights or "")
    if why := found.why_undefined(name):
        show.put(Headline(f"**{markdown(page.label)} is undefined**: {markdown(why)}. {both} label."))
        return
    line = f"**{markdown(page.label)} {bounded(value)}**: {both} label"
    if name == "kappa":
        line += f"; giving their labels at random, each as often as now, they would {percent(by_chance(found))}"
    show.put(Headline(f"{line}.{tendency(page)}"))
    if why := found.why_no_interval(name, page.weights or ""):
        show.put(Sentence(f"No interval over topics: {why}.", caption=True))


def raw(found: Agreement) -> float:
    """The share of documents with the same label."""
    return found.coefficient("agreement").estimate


def by_chance(found: Agreement) -> float:
    """The share that would have the same label if each source gave its own at random."""
    table = found.confusion().to_numpy() / found.n_documents
    return float(table.sum(axis=1) @ table.sum(axis=0))


def bounded(value: Interval, digits: int = 2) -> str:
    """A coefficient with its interval, in Markdown.

    >>> bounded(Interval(0.4321, 0.381, 0.489))
    '0.43 \\\\[0.38, 0.49\\\\]'
    """
    if np.isnan([value.low, value.high]).any():
        return score_text(value.estimate, digits)
    ends = f"{score_text(value.low, digits)}, {score_text(value.high, digits)}"
    return f"{score_text(value.estimate, digits)} \\[{ends}\\]"


def tendency(page: AgreementSettings) -> str:
    """Which source gives the higher label where they differ."""
    first, second = page.found.higher()
    if not first + second:
        return ""
    (a, b), apart = map(markdown, page.sources), counted(first + second, "document")
    if first == second:
        return f" On the {apart} where they differ, each gives the higher label equally often."
    higher, count = (a, first) if first > second else (b, second)
    return (
        f" Where they differ, on {apart}, **{higher}** gives the higher label in {percent(count / (first + second))}."
    )


def matrix(page: AgreementSettings) -> None:
    """The confusion matrix; a click on a cell lists its documents."""
    order, (a, b) = page.best_first, page.sources
    figure = figures.confusion_matrix(
        page.found.confusion().loc[order, order], [page.named(one) for one in order], chosen=page.chosen_cell
    )
    alt = f"Documents by the labels of {a}, downwards, and of {b}, across; all cells are in the table By grade"
    show.put(Figure(figure, "agreement matrix", alt, on_select=partial(take, page), modes=("points",)))


def take(page: AgreementSettings, clicked: list[str]) -> None:
    """A cell clicked is looked at below; one without documents is left alone."""
    if clicked and clicked[0] in page.cells:
        page.change(cell=clicked[0], view=DOCUMENTS)


def explanation(page: AgreementSettings) -> tuple[str, str, str]:
    """What is seen, how to read it, what to try."""
    a, b = map(markdown, page.sources)
    return (
        f"Each cell counts documents by what {a} (row) and {b} (column) said of them; its shade is the share of its "
        "row. From the upper left to the lower right corner they agree.",
        f"{markdown(page.label)}: {markdown(ABOUT[page.coefficient])}. In brackets: the 95% interval over "
        "topics, from the coefficient without each of them. No value is good or bad by itself: see under *Ranking* "
        "whether the order of systems stands.",
        "Click a cell far from where they agree: which documents are in it, and which systems gain or lose by them? "
        "Compare κ with AC: where one grade is rare, they part. See *By topic* whether a few topics account for it.",
    )


# --- looks ------------------------------------------------------------------------------------------------------------


def of_documents(page: AgreementSettings) -> None:
    """The documents of a cell, and what each does to the systems."""
    for place, name in zip(st.columns(2), ("cell", "measure"), strict=True):
        with place:
            page.draw(name)
    if parts.in_parts(page.collection) is not None:
        st.info("A collection in parts is not scored document by document.", icon=":material/info:")
        return
    if page.found.aspect not in page.parsed.columns:
        unread = f"{markdown(page.parsed)} does not read {markdown(page.found.aspect)}, so no label changes a score."
        st.info(unread, icon=":material/info:")
    tables = effects(page)
    if tables is None:
        return
    each, together = tables
    if not len(each):
        show.put(Headline("The two agree on every document that both labelled."))
        return
    say_effects(page, each, together)
    whole = {name: 0 for name in each.columns[2:4] if (each[name] % 1 == 0).all()}
    listed = each.head(MOST_LISTED)
    show.put(Table(listed, "disagreements", decimals=whole, index=False, height=320, download=each))
    st.caption(
        f"Each line: what changes if this document alone gets the label of {markdown(page.b)}, all others "
        f"keeping that of {markdown(page.a)}. systems: how many change their score on the topic; system, "
        "change: the one that changes most, and by how much; mean change: of its mean over topics."
        + (f" The first {MOST_LISTED} of {len(each):,}; the CSV has all." if len(each) > MOST_LISTED else "")
    )
    with st.expander("All of them together, system by system"):
        show.put(Table(together, "disagreements together", height=320))


def effects(page: AgreementSettings) -> tuple[pd.DataFrame, pd.DataFrame] | None:
    """What each disagreement does, and all of them together; None where the work was stopped."""
    asked = (*page.sources, page.found.aspect, str(page.parsed), page.cell)
    key = ("disagreements", page.collection.fingerprint, *asked)
    jobs: dict[Hashable, Job[tuple[pd.DataFrame, pd.DataFrame]]] = {key: partial(run_effects, page)}
    return work.results("disagreements", "Swapping labels one by one", jobs).get(key)


def run_effects(page: AgreementSettings, tell: Tell) -> tuple[pd.DataFrame, pd.DataFrame]:
    how = (page.collection, page.parsed, page.sources, page.found.aspect, page.chosen_cell)
    together = swapped_cell(*how)
    with telling(tell):
        return disagreements(*how), together


def say_effects(page: AgreementSettings, each: pd.DataFrame, together: pd.DataFrame) -> None:
    """How many documents matter, the largest change, and how far the ranking moves."""
    changing = int((each["systems"] > 0).sum())
    cell = page.chosen_cell
    which = ALL if cell is None else f"{page.a} {page.named(cell[0])}, {page.b} {page.named(cell[1])}"
    line = f"**{markdown(which)}**: {counted(len(each), 'document')}; {changing:,} alone would change a score"
    if changing:
        most = each.iloc[0]
        line += (
            f", most of all {markdown(most['document'])} (topic {markdown(most['topic'])}): "
            f"{named(most['system'])} {score_text(most['change'], sign='+')} on the topic"
        )
    moved = int((together["rank before"] != together["rank after"]).sum())
    tau = ec.tau(together["before"], together["after"]) if len(together) > 1 else np.nan
    line += f".  \nTogether they move **{moved}** of {counted(len(together), 'system')}"
    show.put(Headline(f"{line} (τ {score_text(tau, 3)} of the rankings before and after)."))


def of_topics(page: AgreementSettings) -> None:
    """The coefficient on each topic."""
    name, weights = page.coefficient, page.weights or ""
    table, overall = page.found.by_topic(name, weights), page.found.coefficient(name, weights)
    lost = int(table["value"].isna().sum())
    if lost:
        why = "all labels there are of one grade" if name in ("kappa", "alpha") else "no document has both labels"
        st.caption(f"Undefined on {counted(lost, 'topic')}: {why}.")
    figure = figures.topic_agreement(table, page.label, (overall.estimate, overall.low, overall.high))
    alt = f"{page.label} on each of {len(table) - lost} topics; the values are in the table below"
    show.put(Figure(figure, "agreement topics", alt))
    st.caption(
        "Each dot is a topic, its line the 95% interval over its documents; the band is that of all topics together. "
        "Topics with few documents, or few on whose rarer grades both agree, have wide intervals or none."
    )
    decimals = dict.fromkeys(("agreement", "value", "low", "high"), 3)
    show.put(Table(table.sort_values("value"), "agreement by topic", decimals=decimals, height=300))


def of_grades(page: AgreementSettings) -> None:
    """Specific agreement on each grade, and all cells of the matrix."""
    st.caption(
        "value: specific agreement, twice the documents to which both gave a grade over all labels of that grade. Of "
        "two grades these are positive and negative agreement (Cicchetti and Feinstein 1990)."
    )
    decimals = dict.fromkeys(("value", "low", "high", "share"), 3)
    cells = page.found.cells()
    decimals |= {name: 0 for name in cells.columns[:2] if (cells[name] % 1 == 0).all()}
    grades = page.found.by_grade().loc[page.best_first]
    show.put(Table(grades, "agreement by grade", decimals=decimals))
    st.caption("Every cell of the matrix; share: of the documents in its row.")
    show.put(Table(cells, "confusion matrix", decimals=decimals, index=False))


def of_every(page: AgreementSettings) -> None:
    """Every coefficient, of these two and of all sources."""
    decimals = dict.fromkeys(("value", "low", "high"), 3)
    show.put(Table(page.found.coefficients(), "agreement", decimals=decimals, index=False))
    names = given(page)
    if len(names) > 2:
        together = source_agreement(page.collection, names, page.found.aspect)
        st.caption(f"Of all {len(names)} sources together: {', '.join(map(markdown, names))}.")
        table = together.coefficients()
        show.put(Table(table, "agreement of all sources", decimals=decimals, index=False))
    st.caption(
        "A value is missing where no disagreement is expected by chance, as where all labels are of one grade; an "
        "interval, with fewer than 5 topics, or too few documents on whose rarer grades both agree."
    )


def given(page: AgreementSettings) -> tuple[str, ...]:
    """The sources that gave labels, without those made of them."""
    return tuple(page.collection.assessments.sources[page.found.aspect].labels)


LOOKS: dict[str, Callable[[AgreementSettings], None]] = {
    DOCUMENTS: of_documents,
    TOPICS: of_topics,
    GRADES: of_grades,
    EVERY: of_every,
}


def code(page: AgreementSettings) -> list[str]:
    """The lines that recompute what is shown."""
    way = f"{page.coefficient!r}, {page.weights or ''!r}"
    names, cell = given(page), page.chosen_cell
    of_all = [f"every = source_agreement(c, {names!r}, found.aspect).coefficients()"] if len(names) > 2 else []
    looks = {
        DOCUMENTS: [
            f"how = {str(page.parsed)!r}, found.sources, found.aspect, {cell!r}",
            "each, together = disagreements(c, *how), swapped_cell(c, *how)",
            "changing = (each['systems'] > 0).sum()",
            "moved = (together['rank before'] != together['rank after']).sum()",
            "tau = ec.tau(together['before'], together['after'])",
        ],
        TOPICS: [f"topics = found.by_topic({way})"],
        GRADES: ["grades, cells = found.by_grade(), found.cells()"],
        EVERY: ["coefficients = found.coefficients()", *of_all],
    }
    return [
        "from evalcore.judges import disagreements, source_agreement, swapped_cell",
        "",
        f"found = source_agreement(c, {page.sources!r}, {page.found.aspect!r})",
        f"confusion = found.confusion().loc[{page.best_first!r}, {page.best_first!r}]",
        "same = found.coefficient('agreement').estimate",
        "higher = found.higher()",
        "higher_share = max(higher) / sum(higher) if sum(higher) else None",
        *(
            [
                "shares = confusion / found.n_documents",
                "by_chance = shares.sum(axis=1) @ shares.sum(axis=0)",
            ]
            if page.coefficient == "kappa"
            else []
        ),
        f"coefficient = found.coefficient({way})",
        *looks[page.view],
        "ec.plot(found)",
    ]
