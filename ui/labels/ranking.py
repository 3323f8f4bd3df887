"""Would the ranking stand with another judge, and does a judge favour systems? A look of the page Labels."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import pandas as pd
import streamlit as st

from evalcore import InputError, figures
from evalcore.data import Collection
from evalcore.data.families import by_names
from evalcore.data.system_table import grouping_columns, in_words
from evalcore.figures.endless import score_text
from evalcore.judges import Favour, SourceRankings, favour, given_sources, read_sources, source_rankings
from evalcore.judges.favouring import FEWEST
from evalcore.progress import Tell, telling
from evalcore.rounding import less
from ui.address import families
from ui.address.families import NAMES, NOTHING, named
from ui.address.highlight import Highlight
from ui.address.settings import Settings, setting
from ui.computing import work
from ui.computing.first import first_of, tables
from ui.computing.measures import of_measure, offered
from ui.computing.tau import bounds_text
from ui.data import open_collection
from ui.data.as_python import as_python
from ui.data.compared import OneOf
from ui.labels.controls import no_exchange
from ui.screen.items import Figure, Headline, Table
from ui.screen.text import counted, markdown
from ui.stage import show
from ui.widgets.beside import two_columns
from ui.widgets.fields import Choice, Field, Many, Number, Switch

LOOKS = EVERY_TWO, RANKS, FAVOUR = "Every two sources", "Rank changes", "Favour"
RESAMPLES, PERMUTATIONS = 1000, (200, 1000, 5000)
ALPHA = 0.05
LEVEL_MEASURED = (
    "Of simulated collections in which the judge favours nobody, some mark was filled in 2 to 8 of 100, with a "
    "reference that is right and with one that errs: docs/doubt.md."
)
NAMED = 5  # systems that stand out, or that a sentence names

SOURCES_HELP = (
    "Whose labels are compared. Majority, median, mean, union and agreed are made of all that gave labels, document by "
    "document."
)
GROUPS_HELP = (
    "Systems that may be favoured together: those whose names begin alike, or that systems.csv says the same of"
)
ERRS_HELP = (
    "Where the reference wrongly calls documents not relevant, another judge raises good systems, as these find them. "
    "On: what goes with the quality of systems counts as such errors, not as favour, and true labels are drawn as both "
    "judges make them likely. Off: the reference is the truth."
)
PERMUTATIONS_HELP = "Of labels among like documents. The smallest p is one in so many."


def usual_measure(collection: Collection) -> str:
    """The first measure that is offered and reads an aspect of several sources; "" where none does."""
    known = (text for text in offered(collection) if len(given_sources(text, collection)) > 1)
    return next(known, "")


def of_both(look: RankingLook) -> list[str]:
    """The sources that the measure could be read with; none where there is no measure."""
    return list(read_sources(look.measure, look.collection)) if look.measure else []


def _given(look: RankingLook) -> tuple[str, ...]:
    return given_sources(look.measure, look.collection) if look.measure else ()


def _sources(look: RankingLook) -> Field | None:
    usual = _given(look)
    return Many("Sources", of_both(look), usual, least=2, help=SOURCES_HELP) if len(usual) > 1 else None


def _one(label: str, at: int, help: str | None = None) -> Any:
    """The field of one of the sources that are compared; at first the one at this place."""

    def field(look: RankingLook) -> Field | None:
        found = look.sources
        return OneOf(label, found, found[min(at, len(found) - 1)], help=help) if found else None

    return setting(field)


def _groups(look: RankingLook) -> Field | None:
    if look.look != FAVOUR:
        return None
    systems = look.collection.systems
    families = len(set(by_names(systems).values()))
    columns = [name for name in grouping_columns(look.collection.system_table) if name not in (NAMES, NOTHING)]
    usual = NAMES if 1 < families < len(systems) else NOTHING
    return Choice("Groups", [NAMES, *columns, NOTHING], usual, help=GROUPS_HELP)


def _errs(look: RankingLook) -> Field | None:
    enough = look.look == FAVOUR and len(look.collection.systems) >= FEWEST
    return Switch("The reference may err", True, help=ERRS_HELP) if enough else None


def _of_favour(field: Field) -> Any:
    return setting(lambda look: field if look.look == FAVOUR else None)


@dataclass(frozen=True)
class RankingLook(Settings):
    """Which sources are compared, by what measure, and what is looked at closely."""

    PAGE: ClassVar[str] = "labels"
    PREFIX: ClassVar[str] = "ranking_"

    measure: str = setting(lambda look: of_measure(look.collection, "Measure", usual_measure(look.collection)))
    sources: tuple[str, ...] | None = setting(_sources)
    reference: str | None = _one("Reference", 0, "Whose labels are taken as the truth")
    test: str | None = _one("Set against", 1)
    look: str = setting(Choice("Details", LOOKS, segmented=True))
    groups: str | None = setting(_groups)
    errs: bool | None = setting(_errs)
    permutations: int | None = _of_favour(
        Choice("Permutations", PERMUTATIONS, 1000, names="{:,}".format, help=PERMUTATIONS_HELP)
    )
    seed: int = setting(Number("Seed", 0, 100, 0, 1, help="Another seed, other resamples and permutations"))

    @property
    def all_measures(self) -> tuple[str, ...]:
        """None: sources are compared on the topics that each of them labelled."""
        return ()

    @property
    def pair(self) -> tuple[str, str]:
        """Reference and test."""
        return str(self.reference), str(self.test)

    @property
    def group_of(self) -> dict[str, str] | None:
        """The group of each system."""
        table = self.collection.system_table
        if self.groups in (None, NOTHING):
            return None
        if self.groups == NAMES or table is None:
            return by_names(self.collection.systems)
        return in_words(table[self.groups])


def draw(collection: Collection) -> None:
    """The look."""
    if lack := what_is_missing(collection):
        st.info(lack, icon=":material/info:")
        return
    left, right = two_columns(name="ranking")
    with left:
        look, highlight = RankingLook.now(collection), Highlight.now(collection)
        look.draw("measure", "sources", "reference", "test")
        highlight.draw("systems")
        with st.expander("More settings"):
            look.draw("seed")
    if not look.sources:
        right.info("The measure reads no aspect with several sources of labels: choose one that does.")
        return
    if look.reference == look.test:
        right.info("Choose two different sources.", icon=":material/info:")
        return
    found = None
    with right, show.errors():
        found = ranked(look)
        if found is not None:
            draw_pair(look, found, highlight)
    if found is None:
        return
    show.explain(*EXPLANATION)
    look.draw("look")
    with show.errors():
        {EVERY_TWO: every_two, RANKS: rank_changes, FAVOUR: draw_favour}[look.look](look, found, highlight)
    as_python(collection, *code(look, found))


def what_is_missing(collection: Collection) -> str:
    """Why there is nothing to show, and what to do; empty where there is."""
    if lack := no_exchange(collection):
        return lack
    if not usual_measure(collection):
        return (
            "Every aspect of this collection has the labels of one source. Open those of another assessor or of an LLM "
            "judge beside them; how far the ranking stands when labels go wrong at random is shown without."
        )
    return ""


# --- the pair ---------------------------------------------------------------------------------------------------------


def ranked(look: RankingLook) -> SourceRankings | None:
    """Scores under each source, and how their rankings agree; None where the work was held."""
    key = ("ranking", look.collection.fingerprint, look.measure, look.sources, look.seed)

    return work.result("ranking", "Scoring under each source", key, partial(_ranked, look))


def _ranked(look: RankingLook, tell: Tell) -> SourceRankings:
    with telling(tell):
        found = source_rankings(
            look.measure,
            look.collection,
            look.sources,
            n_resamples=RESAMPLES,
            seed=look.seed,
        )
        len(found.pairs)  # which are kept with it
        return found


def draw_pair(look: RankingLook, found: SourceRankings, highlight: Highlight) -> None:
    """The systems under both sources, and in words who is first and how much changes."""
    reference, test = look.pair
    x, y = found.scores[reference], found.scores[test]
    show.put(Headline(sentences(look, found)))
    figure = figures.scatter(
        x.mean(),
        {test: y.mean()},
        open_collection.styles(look.collection),
        selected=highlight.systems,
        x_title=f"labels of {figures.plain(reference)}",
        y_title=f"labels of {figures.plain(test)}",
        doubt=tables(x, y),
    )
    alt = f"Scatter of {x.shape[1]} systems, labels of {reference} across, of {test} up; the values are in Rank changes"
    show.put(Figure(figure, "two sources", alt, on_select=highlight.take, drawn=drawn(look)))


def sentences(look: RankingLook, found: SourceRankings) -> str:
    """Who is first under each, how far the rankings agree, and who moves most."""
    reference, test = look.pair
    lines = [f"First by labels of {markdown(name)}: {first_of(found.scores[name])}" for name in look.pair]
    row = pair_row(found, reference, test)
    interval = bounds_text(row["tau_low"], row["tau_high"], row["no_interval"])
    line = f"Their rankings: τ_b **{score_text(row['tau'], 3)}** (95% interval over topics: {interval})"
    count = found.scores[test].shape[1]
    line += f"; **{row['swapped']:,}** of {counted(count * (count - 1) // 2, 'pair')} of systems are swapped"
    if row["moved"]:
        ranks = found.changes(reference, test).loc[row["mover"]]
        line += f", and **{named(row['mover'])}** goes from rank {ranks['rank_x']:.0f} to {ranks['rank_y']:.0f}"
    lines.append(f"{line}.")
    lacking = len(look.collection.topics) - len(found.topics)
    if lacking:
        lines.append(f"On the {counted(len(found.topics), 'topic')} that all of these sources labelled.")
    return "  \n".join(lines)


def pair_row(found: SourceRankings, reference: str, test: str) -> dict[Hashable, Any]:
    """How two sources agree, whichever of them comes first in the table."""
    for row in found.pairs.to_dict("records"):
        if {row["reference"], row["test"]} == {reference, test}:
            return row
    raise InputError(f"expected two of the sources that are compared, found {reference!r} and {test!r}")


EXPLANATION = (
    "Each mark is a system: across its mean score by the labels of the reference, up by those of the other source. On "
    "the dotted line both say the same.",
    "Below the line the other source is stricter; that alone moves no rank. Ranks change where marks leave the order "
    "from left to right. What a source did not label counts as unassessed under it.",
    "Choose another measure: shallow ones depend on fewer labels. Set *majority* against each source. Then see under "
    "*Favour* whether some systems differ by more than this confusion of labels explains.",
)


# --- closer looks -----------------------------------------------------------------------------------------------------


def every_two(look: RankingLook, found: SourceRankings, _: Highlight) -> None:
    """How the rankings of every two sources agree, and who is first under each."""
    st.caption(
        f"95% intervals over topics, {RESAMPLES:,} resamples. τ_AP counts swaps near the top more: down the list "
        "under the test, against the reference; back, the other way round. Each interval is for the correlation of the "
        "true rankings of these systems; no_interval says where and why it cannot be given."
    )
    show.put(
        Table(
            found.pairs,
            "every two sources",
            decimals=dict.fromkeys(map(str, found.pairs), 3),
            index=False,
            drawn=drawn(look),
        )
    )
    show.put(Table(found.winners, "who is first by source", decimals={"share_first": 3}, drawn=drawn(look)))


def rank_changes(look: RankingLook, found: SourceRankings, highlight: Highlight) -> None:
    """The ranks of all systems under all sources that are compared."""
    means = {f"labels of {name}": found.scores[name].mean() for name in look.pair}
    changes = found.changes(*look.pair)
    most = changes["change"].abs().sort_values(ascending=False, kind="stable")
    named = highlight.systems or [str(name) for name in most.index[:NAMED] if most[name]]
    figure = figures.bump(means, open_collection.styles(look.collection), named)
    alt = f"Ranks of {len(changes)} systems under two sources of labels; the values are in the table below"
    show.put(Figure(figure, "ranks by source", alt))
    show.put(Table(changes, "rank changes between sources", height=320))
    if len(found.sources) > 2:
        show.put(Table(found.ranks, "ranks by source", height=320))


def draw_favour(look: RankingLook, _: SourceRankings, highlight: Highlight) -> None:
    """Whom the judge likes, beside what is expected."""
    left, right = st.columns([0.3, 0.7], gap="medium")
    with left:
        look.draw("groups", "errs", "permutations")
    with right:
        found = favoured(look)
        if found is None:
            return
        show.put(Headline(favour_in_words(found)))
        styles = open_collection.styles(look.collection)
        figure = figures.favours(found.table, found.judge, styles, selected=highlight.systems, alpha=ALPHA)
        alt = f"What {found.judge} does to {len(found.table)} systems; the values are in the table below"
        show.put(Figure(figure, "favour", alt, on_select=highlight.take, modes=("points",), drawn=drawn(look)))
    st.caption(favour_caption(found))
    if found.groups is not None:
        show.put(Table(found.groups, "favour by group", drawn=drawn(look)))
    show.put(Table(found.table, "favour by system", height=320, drawn=drawn(look)))


def favoured(look: RankingLook) -> Favour | None:
    """What the judge does to systems; None where the work was held."""
    reference, judge = look.pair
    settings = (look.groups, bool(look.errs), look.permutations, look.seed)
    key: Hashable = ("favour", look.collection.fingerprint, look.measure, reference, judge, *settings)
    return work.result(
        "favour", f"Permuting labels as if {markdown(judge)} favoured nobody", key, partial(_favour, look)
    )


def _favour(look: RankingLook, tell: Tell) -> Favour:
    reference, judge = look.pair
    return favour(
        look.measure,
        look.collection,
        judge,
        reference,
        groups=look.group_of,
        beside_quality=bool(look.errs),
        n_permutations=look.permutations or PERMUTATIONS[1],
        seed=look.seed,
        progress=tell,
    )


def favour_in_words(found: Favour) -> str:
    """Whom the judge favours, or that there is no sign of it; of groups and of systems."""
    judge, reference = markdown(found.judge), markdown(found.reference)
    lines = [_of_rows(found.table, judge, "system")]
    if found.groups is not None:
        lines.append(_of_rows(found.groups, judge, "group"))
    lines.append(
        f"Beyond what its confusion with {reference} predicts, on {counted(found.n_documents, 'document')} of "
        f"{counted(found.n_topics, 'topic')} that both labelled."
    )
    return "  \n".join(lines)


def _of_rows(table: pd.DataFrame, judge: str, what: str) -> str:
    apart = less(table["p_corrected"].to_numpy(), ALPHA)
    liked, disliked = table[apart & (table["favour"] > 0)], table[apart & (table["favour"] < 0)][::-1]
    p = f"corrected p {table['p_corrected'].min():.3f} at the least"
    if not apart.any():
        return f"No sign that {judge} favours a {what} ({p}, of {counted(len(table), what)})."
    said = [f"**{_named(rows)}** {way}" for rows, way in ((liked, "more"), (disliked, "less")) if len(rows)]
    return f"{judge} likes {', and '.join(said)} ({p}, of {counted(len(table), what)})."


def _named(rows: pd.DataFrame) -> str:
    more = len(rows) - NAMED
    return ", ".join(named(name) for name in rows.index[:NAMED]) + (f" and {more} more" if more > 0 else "")


def favour_caption(found: Favour) -> str:
    """What the figure shows, and what it cannot tell."""
    judge, reference = markdown(found.judge), markdown(found.reference)
    common = (
        "the mean over systems and what goes with their quality" if found.beside_quality else "the mean over systems"
    )
    times = f"{found.n_permutations:,} times"
    if found.beside_quality:
        null = (
            f"{times} true labels are drawn as {judge} and {reference} make them likely, and the labels of both are "
            "permuted among documents of one topic and one true label"
        )
        limits = (
            f"A favour that grows with quality cannot be told from errors of {reference}, and is not seen. "
            f"{LEVEL_MEASURED}"
        )
    else:
        null = (
            f"{times} the labels of {judge} are permuted among documents of one topic, one label by {reference} and "
            "much the same ranks over all systems"
        )
        limits = f"{reference} is taken as the truth: where it errs, good systems seem favoured."
    return (
        f"Each mark is how much better a system scores by the labels of {judge} than by those of {reference}, "
        f"without what is common to all: {common}. The bar holds 95% of what comes out without favour: {null}; how "
        "often each errs stays, what ties errors to a system goes. Systems right of their bar score higher than that. "
        f"Filled: the p, corrected for all systems, is below {ALPHA:g}. {limits}"
    )


def drawn(look: RankingLook) -> dict[str, int]:
    """What was drawn at random."""
    return {"resamples": RESAMPLES, "seed": look.seed}


# --- as Python --------------------------------------------------------------------------------------------------------


def code(look: RankingLook, found: SourceRankings) -> Sequence[str]:
    """What recomputes the look."""
    reference, test = look.pair
    sources = list(look.sources or ())
    lines = [
        "from evalcore.judges import favour, source_rankings",
        "",
        f"found = source_rankings({look.measure!r}, c, {sources!r}, n_resamples={RESAMPLES}, seed={look.seed})",
        "pairs, winners, ranks = found.pairs, found.winners, found.ranks",
        f"changes = found.changes({reference!r}, {test!r})",
        f"doubt = [ec.rank_intervals(found.scores[name]).table for name in {look.pair!r}]",
    ]
    shown = ", doubt=doubt" if tables(*(found.scores[name] for name in look.pair)) else ""
    figure = families.plot_code(look.collection, f"found, pair={look.pair!r}{shown}")
    if look.look != FAVOUR:
        return [*lines, *figure]
    return [
        *lines,
        *_groups_code(look),
        f"favoured = favour({look.measure!r}, c, {test!r}, {reference!r}, groups=groups, "
        f"beside_quality={bool(look.errs)}, n_permutations={look.permutations}, "
        f"seed={look.seed})",
        *families.plot_code(look.collection, "favoured", "closer"),
        figure[-1],
    ]


def _groups_code(look: RankingLook) -> list[str]:
    if look.group_of is None:
        return ["groups = None"]
    if look.groups == NAMES:
        return ["from evalcore.data.families import by_names", "groups = by_names(c.systems)"]
    return [
        "from evalcore.data.system_table import in_words",
        f"groups = in_words(c.system_table[{look.groups!r}])",
    ]
