"""Few human labels, many of a model: what may be concluded of the systems? A look of the page Labels."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from evalcore import InputError, figures
from evalcore.combining import (
    AIMS,
    COMBINED,
    HUMAN,
    LIKELIEST,
    LINES,
    MODEL,
    Combined,
    FilledLabels,
    KeptLabels,
    NextLabels,
    TwoSources,
)
from evalcore.combining.human_labels import ALL_LABELS
from evalcore.data import Collection
from evalcore.judges.rescoring import graded_aspect, sums_gains
from evalcore.meta import leaders
from ui.address import families
from ui.address.highlight import Highlight
from ui.address.settings import setting
from ui.computing import work
from ui.computing.cached import cached
from ui.computing.first import doubt_calls, firsts, together
from ui.computing.measures import of_measure
from ui.data.as_python import TextLines
from ui.data.compared import OneOf
from ui.labels.controls import OfSources
from ui.labels.ranking_settings import usual_measure
from ui.screen.calls import Call, call_of
from ui.screen.items import Figure, Headline, Item, Metric, Table, Text, in_row
from ui.screen.text import counted, markdown, measure_name, percent
from ui.shell import live
from ui.stage import show
from ui.widgets.download import download
from ui.widgets.fields import Choice, Field, Number, of_parameter

LOOKS = SCORES, DRAWS, NEXT, CURVE = "Scores and ranks", "Over draws", "What to label next", "Labels spent"
AIM_NAMES = {"order": "the order of all systems", "first": "who is first"}
ORDER_NAMES = {"decisive": "what decides most", "random": "at random", "pooled": "as pooled", "uncertain": "uncertain"}
ABOUT_ORDERS = {
    "decisive": "what is expected to decide most",
    "random": "any",
    "pooled": "the best rank first",
    "uncertain": "where the model's label tells least",
}
FILLED, LONGEST_FILE = "filled labels", 1_000_000  # bytes that are read
FILLED_HELP = "With grades in the place of -1: how many of the labels were worth it"
TEMPLATE_HELP = "The documents above, all with -1, which means that nobody judged them yet"
FAVOURING = (
    "Look at whom the judge favours, too: where a model favours some systems and people labelled few documents, an "
    "order that seems sure by the model alone is wrong in up to half of the cases."
)
MOST_KEPT = 16  # measures and sources that are made ready
CALLED = {COMBINED: "both together", HUMAN: "human labels alone", MODEL: "the model alone"}
SHOWN = {**CALLED, LIKELIEST: "the likeliest order"}


def _human(look: CombinedLook) -> Field | None:
    names = look.given
    return OneOf("People", names, names[0], help="Whose labels are taken as the truth") if len(names) > 1 else None


def _model(look: CombinedLook) -> Field | None:
    others = [name for name in look.given if name != look.human]
    return OneOf("Model", others, others[-1], help="Whose labels are many, and may be wrong") if others else None


def _topics(look: CombinedLook) -> Field:
    usual = 1.0 if look.in_part or look.has_gaps else 0.2
    return of_parameter(KeptLabels, "topics", "Topics", default=usual, format="percent")


def _share(look: CombinedLook) -> Field | None:
    if not look.in_part:
        return None
    return of_parameter(KeptLabels, "share", "Documents", default=1.0 if look.has_gaps else 0.1, format="percent")


@dataclass(frozen=True)
class CombinedLook(OfSources, page="labels", prefix="combined_"):
    """Whose labels are put together by what measure, and which human ones are hidden to try what few tell."""

    measure: str = setting(lambda look: of_measure(look.collection, "Measure", usual_measure(look.collection)))
    human: str | None = setting(_human)
    model: str | None = setting(_model)
    topics: float = setting(_topics)
    share: float | None = setting(_share)
    depth: int | None = setting(of_parameter(KeptLabels, "depth", "and the first", high=20), in_part=True)
    seed: int = setting(of_parameter(KeptLabels, "seed", "Seed"))
    look: str = setting(Choice("Details", LOOKS, segmented=True))
    draws: int | None = setting(Choice("Draws", (20, 100, 500), 20), look=DRAWS)
    aim: str | None = setting(Choice("To decide", AIMS, names=AIM_NAMES.__getitem__), look=NEXT)
    number: int | None = setting(Number("Labels", 10, 500, 100, 10), look=(NEXT, CURVE))

    @property
    def in_part(self) -> bool:
        """Whether labels of a part of a topic's documents will do."""
        return bool(self.measure) and sums_gains(self.measure, self.collection.assessments)

    @property
    def has_gaps(self) -> bool:
        """Whether people left out documents that others labelled: then nothing need be hidden."""
        with suppress(InputError):
            pool = self.collection.assessments
            sources = pool.sources.get(graded_aspect(self.measure, self.collection))
            if sources is None:
                return False
            people, *others = (~np.isnan(labels) for labels in sources.labels.values())
            return bool((np.any(others, axis=0) & ~people).any()) if others else False
        return False

    @property
    def kept(self) -> KeptLabels:
        """Which human labels are not hidden."""
        return KeptLabels(1.0 if self.share is None else self.share, self.topics, self.depth or 0, self.seed)

    @property
    def drawn(self) -> dict[str, float]:
        """What was drawn at random."""
        return {"seed": self.seed} if self.kept.hides else {}

    @property
    def asked(self) -> dict[str, Any]:
        """Measure, collection and whose labels."""
        return {"measure": self.measure, "collection": self.collection, "model": self.model, "human": self.human}

    @property
    def hidden(self) -> dict[str, Any]:
        """What is hidden, as an option of `ec.combine` and its kin; nothing where all labels are kept."""
        return {"kept": str(self.kept)} if self.kept.hides else {}

    def called(self, name: str, function: str, **options: Any) -> Call[Any]:
        """What a function makes of both sources' labels."""
        text = f"{function}({{measure}}, {{collection}}, {{model}}, {{human}}"
        text += "".join(f", {option}={{{option}}}" for option in options)
        return Call(name, f"{text})", {**self.asked, **options}, {"ec.combine": _combine})


def draw(collection: Collection) -> None:
    """The look."""
    left, right = show.two_columns(name="combined")
    with left:
        look, highlight = CombinedLook.now(collection), Highlight.now(collection)
        look.draw("measure", "human", "model")
        st.caption("Human labels are kept of a share of the")
        look.draw("topics", "share", "depth")
        highlight.draw("systems")
        with st.expander("More settings"):
            look.draw("seed")
    if look.human is None or look.model is None:
        right.info("The measure reads no aspect with several sources of labels: choose one that does.")
        return
    with right, show.errors():
        live.follow(look, lambda look: both(look, highlight), "topics", "share", "depth", curve="worth")
    show.explain(*EXPLANATION)
    look.draw("look")
    with show.errors():
        look.draw("draws", "aim", "number")
        if look.look == DRAWS:
            show.screen(over_draws(look))
        elif look.look == NEXT:
            draw_next(look)
        elif look.look == CURVE:
            show.screen(labels_spent(look))
        else:
            show.screen(scores(look))
            methods = combined(look).then("methods", ".methods()")
            with st.expander("For the paper", icon=":material/article:", key="combined paper"):
                st.code(methods.value, language=None, wrap_lines=True)


def combined(look: CombinedLook) -> Call[Combined]:
    """Both together, with what is hidden."""
    return look.called("combined", "ec.combine", **look.hidden)


def _combine(
    measure: str, collection: Collection, model: str, human: str, kept: str | KeptLabels = ALL_LABELS
) -> Combined:
    """`ec.combine` whose first half, which no slider moves, is kept."""
    sources = _read(measure, collection, model, human)
    return sources.combined(sources.kept(kept))


@cached(MOST_KEPT)
def _read(measure: str, collection: Collection, model: str, human: str) -> TwoSources:
    return TwoSources.of(measure, collection, model, human)


def both(look: CombinedLook, highlight: Highlight) -> Iterator[Item]:
    """Who is first by each of the three, what the model's labels are worth, and the scores."""
    estimate = combined(look)
    result = estimate.value
    by = [estimate.then("", ".scores[{name}]", name=name) for name in LINES]
    yield Headline(sentences(result), (estimate, *doubt_calls(*by)))
    labels = estimate.then("n_labels", ".n_labels")
    yield in_row(
        Metric.of("human labels", labels, f"Of {counted(result.n_topics, 'topic')}", form=","),
        Metric.of("worth", estimate.then("worth", ".worth"), WORTH_HELP, form=".2f"),
        Metric.of("κ", estimate.then("kappa", ".agreement.estimate"), KAPPA_HELP, form=".2f"),
    )
    figure = families.plotted("", "{combined}", look.collection, {"selected": highlight.systems}, combined=estimate)
    alt = f"Mean scores of the first systems by both together, by {look.human} and by {look.model}; "
    alt += "the values are in the table below"
    yield Figure(figure, "combined", alt, highlight.take, ("points",), drawn=look.drawn)


WORTH_HELP = (
    "How many times as many human labels alone would leave errors as small of these topics' scores; 1: the model adds "
    "nothing"
)
KAPPA_HELP = "Cohen's κ of the model and the human labels that are read"


def sentences(result: Combined) -> str:
    """Who is first by each of the three, and by all human labels where some are hidden."""
    lines = firsts({CALLED[name]: result.scores[name] for name in LINES})
    if result.n_hidden:
        lines.append(f"First of the likeliest order: {together(leaders(result.likeliest))}")
    if result.all_labels is not None and result.n_hidden:
        lines.append(f"By all human labels, most of which are hidden here: {together(leaders(result.all_labels))}")
    if why := result.why_no_help:
        lines.append(f"The model's labels do not help: {markdown(why)}.")
    return "  \n".join(lines)


EXPLANATION = (
    "Three lines for each of the first systems: by both together, by the human labels that are kept, and by the model "
    "alone, each with its 95% interval for these topics; of the model for all such topics, as it cannot know how wrong "
    "its labels are. Upright: the score by all human labels.",
    "The model's labels are corrected by what people say of the same documents, so that both together are right on "
    "average whatever the model does; the better it agrees, the shorter the line. The model alone is precise, and may "
    "be off by more than its line says.",
    "Keep fewer labels: which of the lines still finds the winner? See *Over draws* how often. Take a model that "
    "agrees less.",
)


def scores(look: CombinedLook) -> Iterator[Item]:
    """All numbers of all systems."""
    estimate = combined(look)
    table = estimate.then("table", ".table")
    yield Text.note(
        "low and high: the 95% interval of the mean over all such topics; these_low and these_high: over these topics, "
        "had people labelled all documents. rank_low and rank_high: over topics. narrower: the width of the interval "
        "over these topics beside that of human labels alone. likely_rank: in the likeliest order, the model's "
        f"corrected by as much of what people add as is no noise. Right where {estimate.value.assumption}."
    )
    decimals = {name: 0 for name in table.value if "rank" in str(name)} | {"narrower": 2}
    yield Table(table, "both together", decimals=decimals, height=420, drawn=look.drawn)


def over_draws(look: CombinedLook) -> Iterator[Item]:
    """How often each of them finds what all human labels say."""
    if not look.kept.hides:
        yield Text("All human labels are read: keep those of a share of the topics or documents.", "info")
        return
    made = look.called("draws", "ec.combining.hidden_draws", **look.hidden, draws=look.draws)
    table = work.worked(made, look.collection, "Hiding human labels again and again")
    if table is None:
        return
    share = table.then("found", "['winner']")
    each = [f"{called} in **{percent(float(share.value[name]))}**" for name, called in SHOWN.items()]
    yield Headline(f"Of {look.draws} draws, the winner by all human labels is found by {', '.join(each)}.", (share,))
    yield Text.note(
        "winner: in which share of the draws the first is one of the first by all human labels; tau: mean τ with their "
        "ranking; error: root mean square error of the scores; covered: how often the 95% interval for these topics "
        "holds the score by all labels. The model alone says the same in every draw. The likeliest order: the model's, "
        "corrected by as much of what people add as is no noise; its scores by themselves may be biased."
    )
    yield Table(table, "over draws", decimals={"winner": 3, "tau": 3}, drawn=look.drawn)


def draw_next(look: CombinedLook) -> None:
    """Which documents people should label, and the file to fill in."""
    chosen: Call[NextLabels] = look.called("chosen", "ec.label_next", aim=look.aim, n=look.number, **look.hidden)
    show.screen(next_labels(chosen))
    download("Qrels file to fill in", chosen.value.template, "qrels_next.txt", TEMPLATE_HELP)
    if file := st.file_uploader("The file, filled in", ["txt", "qrels"], key=FILLED, help=FILLED_HELP):
        text = file.getvalue()[:LONGEST_FILE].decode("utf-8", "replace")
        made = look.called("filled", "ec.combining.filled_labels", filled=TextLines(text), aim=look.aim, **look.hidden)
        filled = work.worked(made, look.collection, "Counting what each label brought")
        if filled is not None:
            show.screen(of_filled(filled))


def of_filled(filled: Call[FilledLabels]) -> Iterator[Item]:
    """How many of the labels that came back were worth it."""
    words = filled.then("worth_it", ".in_words()")
    yield Headline(f"**{markdown(words.value)}**.", (words,))
    table = filled.then("brought", ".table")
    yield Text.note(
        "doubt: the sum of the chances that a pair is in another order than it seems, with this label and those above. "
        "A label that surprises may raise it. To go on with these labels, add the file to the collection."
    )
    yield Table(table, "what labels brought", {"doubt": 2}, 280, index=False)


def next_labels(chosen: Call[NextLabels]) -> Iterator[Item]:
    """How many human labels decide it, and which come first."""
    advice = chosen.value
    decided = chosen.then("decided", ".decided")
    needed, sure = chosen.then("needed", ".needed"), chosen.then("sure", ".sure")
    yield Headline(
        f"With {advice.n_labels:,} human labels **{decided.value:,}** of {counted(advice.of_pairs, 'pair')} of systems "
        f"are decided by {measure_name(advice.measure)}; **{sure.value:,}** would be if the model favoured none of "
        f"them.  \nAbout **{needed.value:,}** labels more decide all pairs.  \nDecided: their order is "
        f"{percent(advice.level)} sure to outlast the labels that are missing, also by what labels show of the model's "
        "favour for either.",
        (decided, sure, needed),
    )
    pairs = chosen.then("pairs", ".pairs")
    documents = chosen.then("documents", ".documents")
    yield Text.note(
        "wrong: the chance that labels reverse the pair; above a half they speak for the other order. It is a half "
        "while they do not tell whether the model favours either: they do once about ten documents that were drawn at "
        "random have one, or documents that hold two thirds of the doubt about the pair. needed: how many more decide "
        "it, if scores stay as they are expected. value: how much of the doubt about the pairs a label of the document "
        "is expected to take away. Fill the grades into the qrels file below and add it to the collection as labels of "
        "the assessors: the numbers above say how far it brought you. Labels chosen so are no random sample, and these "
        f"topics are all they speak of. {FAVOURING}"
    )
    yield Table(pairs, "pairs to decide", decimals={"wrong": 3}, index=False, height=280)
    yield Table(documents, "what to label next", index=False, height=280)


def labels_spent(look: CombinedLook) -> Iterator[Item]:
    """Labels spent against pairs decided, by each order of documents."""
    most = 10 * (look.number or 100)
    made = look.called("curve", "ec.combining.labelling_curve", most=most, seed=look.seed)
    curve = work.worked(made, look.collection, "Labelling by each order")
    if curve is None:
        return
    last = curve.then("last", "['right'].unstack('order').iloc[-1]")
    each = ", ".join(f"{ORDER_NAMES[str(name)]} **{count:,.0f}**" for name, count in last.value.items())
    yield Headline(f"With {most:,} human labels more, pairs of systems decided and right: {each}.", (last,))
    figure = call_of("", figures.labelling_lines, "{curve}", curve=curve)
    alt = "Pairs of systems decided and right over the human labels spent, by each order; the values are below"
    yield Figure(figure, "labels spent", alt, drawn=look.drawn)
    yield Text.note(
        f"All human labels are hidden but for 2% of the documents, drawn at random; then documents get theirs in an "
        f"order: {'; '.join(f'{name}: {what}' for name, what in ABOUT_ORDERS.items())}. decided: pairs that are sure "
        "at 95%, by what labels show of the model's favour, too; right: in the order that all human labels give. sure: "
        "the same, if the model errs alike on the documents of all systems. "
        f"{FAVOURING}"
    )
    yield Table(curve.then("table", ".reset_index()"), "labels spent", index=False, height=280, drawn=look.drawn)
