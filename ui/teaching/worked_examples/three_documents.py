"""Three documents (Maistro et al. 2021, Table 3): what each measure says of their rankings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore.data import Assessments, Collection
from evalcore.explain.arithmetic import Arithmetic, arithmetic, class_steps, label_steps
from evalcore.measures import MM, TOMA, Aggregate, Measure
from evalcore.measures.tuple_orders import at_least_as_good, pool_tuples
from evalcore.teaching.papers.three_documents import (
    ADMISSIBLE,
    ASPECTS,
    LABELS,
    MISPRINTS,
    RANKINGS,
    labelled,
    measures_over,
    table_3,
)
from ui.address.presets import draw_presets
from ui.screen.calls import Call, call, each, line, mapped, record
from ui.screen.items import Calls, Item, Latex, Table, Text
from ui.stage import report, show
from ui.teaching.worked_examples.arithmetic import gain_words, mean_latex, short, symbol, written_out
from ui.teaching.worked_examples.controls import NAMES, ExampleSettings, order, presets
from ui.widgets.callback import callback

if TYPE_CHECKING:
    from pandas.io.formats.style import Styler

ROUNDING = 0.5001e-4  # printed with 4 decimals
MARK = "rgba(214, 158, 46, 0.55)"
SCORES = "Scores of fifteen rankings by five measures"
NOT_DEFINED = (
    "The harmonic mean is not defined with a 0; its limit is 0, however good the other aspect is. This "
    "is the paper's first problem with MM."
)
READINGS = (
    "The paper leaves some of this open; only these readings give its numbers.\n"
    "- **Admissible labels.** A document that is not relevant is not correct: 10 tuples of labels, not "
    "12.\n- **Positions.** Relevance at 0, 1, 2, 3, correctness at 0, 1.5, 3 (first row of Table 1): both "
    "aspects count the same. Table 1 itself lists the best tuple first: its signs are the wrong way "
    "round.\n- **AP in CAM and MM** takes fr and hr as relevant, and only c as correct.\n"
    "- **AP in TOMA** takes the top half of the classes, *rounded up* (Chebyshev makes 5 classes). "
    "Section 4.1 and the authors' program take every class but the worst.\n"
    "- **NDCG** discounts by 1 / log2(rank + 1), from rank 2 on. The paper it cites leaves the first ranks "
    "undiscounted, which does not give Table 3.\n"
    "- **Ideal ranking**: over all three documents, also where a ranking retrieves only one or two."
)
PRINT_INK = {"light": ("#5c6773", "#b8323f"), "dark": ("#9aa5b1", "#f07583")}  # agrees, differs


@dataclass(frozen=True)
class Example:
    """Three labelled documents, the fifteen rankings of them, and their scores, as calls."""

    page: ExampleSettings

    @cached_property
    def labels(self) -> Call[dict[str, tuple[int, ...]]]:
        return line("labels", self.page.grades)

    @cached_property
    def collection(self) -> Call[Collection]:
        return call("c", labelled, self.labels.it)

    @cached_property
    def measures(self) -> Call[dict[str, Measure]]:
        return call("measures", measures_over, self.page.inner, self.labels.it)

    @cached_property
    def scores(self) -> Call[pd.DataFrame]:
        """Rankings x measures; MM as the paper prints it where that is asked for."""
        c = self.collection.it
        scores = mapped(self.measures.it, lambda measure: record(ec.evaluate)(measure, c).iloc[0])
        table = call("by_eq_6" if self.page.halved else "table", pd.DataFrame, scores)
        return line("table", table.it.assign(MM=table.it["MM"] / 2)) if self.page.halved else table

    @cached_property
    def printed(self) -> Call[pd.DataFrame] | None:
        """The paper's scores, where the labels are the paper's."""
        if self.page.grades != LABELS:
            return None
        return call("printed", table_3, self.page.inner)

    @property
    def calls(self) -> Calls:
        """What makes the table."""
        return (self.scores, self.printed) if self.printed else (self.scores,)

    @property
    def pool(self) -> Assessments:
        return self.collection.value.assessments

    @property
    def measure(self) -> Call[Any]:
        """That of the score under the glass."""
        return line("measure", self.measures.it[self.page.score])

    def taken_apart(self, measure: Measure) -> Arithmetic:
        """The arithmetic of the ranking under the glass, in a call."""
        c, system = self.collection.it, list(RANKINGS).index(self.page.ranking)
        return record(arithmetic)(measure, c.assessments, c.rankings, system)


def three_documents(page: ExampleSettings, columns: Sequence[st.delta_generator.DeltaGenerator]) -> None:
    for place, name in zip(columns, ("inner", "halved"), strict=False):
        with place:
            page.draw(name)
    with columns[2]:
        draw_presets(page, "labels", presets())
    for place, document in zip(st.columns(len(LABELS), gap="medium"), LABELS, strict=True):
        with place, st.container(horizontal=True, gap="small"):
            page.draw(document)
    example = Example(page)
    show.screen(what_is_open(example))
    table = st.container()
    report.shown("", Table(shown(example), SCORES, calls=example.calls))
    show.put(errata(example))
    show.explain(
        "Table 3 of Maistro et al. (2021), computed anew: all fifteen rankings of three documents, scored by five "
        "measures of two aspects; the stronger the colour the better, bold the best of a column. CAM and MM score each "
        "aspect, then average; the TOMAs (EUCL, MANH, CHEB) make one grade of both labels, then score.",
        "Look for a 1: a measure without one cannot say that a ranking is as good as can be. CAM and MM lack it where "
        "documents cannot be compared: one order pleases one aspect only. TOMA decides by a distance what comes first.",
        "Click a score: it turns yellow and its arithmetic is written out below. Then set the labels to *a clear "
        "order* and watch CAM and MM reach 1, or change one label of d1 and see who wins.",
    )
    under_the_glass(example)
    with st.expander("What it takes to reproduce Table 3"):
        show.put(Text(READINGS))
    with table:
        draw_table(page, example)


def what_is_open(example: Example) -> Iterator[Item]:
    """Which documents cannot be compared, and which labels the paper rules out."""
    pool, scores = example.pool, example.scores
    tuples = pool_tuples(pool, ASPECTS)
    better = at_least_as_good(tuples)
    pairs = [
        f"{pool.documents[i]} and {pool.documents[j]}"
        for i, j in combinations(range(len(pool)), 2)
        if not better[i, j] and not better[j, i]
    ]
    best = line("best", scores.it.max())
    missed = [f"{name} (best {best.value[name]:.4f})" for name in NAMES if best.value[name] < 1 - ROUNDING]
    open_pairs = (
        f"**Not comparable: {' · '.join(pairs)}**, each is better on one aspect."
        if pairs
        else "**All documents can be compared**: none is better on one aspect and worse on the other."
    )
    reach = f"No ranking reaches 1 by {' and '.join(missed)}." if missed else "Every measure reaches 1."
    if not best.value.any():
        reach = "**No document is worth anything:** all scores are 0, TOMA's too, though section 4.2 promises it a 1."
    yield Text(f"{open_pairs} {reach}", calls=(best,))
    labelled = zip(pool.documents, tuples.tolist(), strict=True)
    odd = [str(document) for document, labels in labelled if tuple(labels) not in ADMISSIBLE]
    if odd:
        yield Text(
            f"{' and '.join(odd)} {'is' if len(odd) == 1 else 'are'} not relevant (nr) yet (partially) correct. The "
            "paper rules such labels out (section 3.4: without information on the topic nothing is correct "
            "on it) and orders 10 tuples of labels. Here all 12 are admitted, so TOMA's classes and weights change.",
            "info",
        )


def draw_table(page: ExampleSettings, example: Example) -> None:
    """Table 3. The score under the glass is marked; a click on another one takes its place."""
    table = shown(example)
    key = "table3" if example.printed is None else "table3-printed"  # other columns, another selection
    columns = {name: st.column_config.NumberColumn(name, format="%.4f") for name in NAMES}
    columns |= {f"{name} printed": st.column_config.TextColumn("printed") for name in NAMES}
    st.dataframe(
        styled(table, order(page.ranking), page.score),
        key=key,
        height=26 * len(table) + 38,
        row_height=26,
        column_config=columns,
        on_select=lambda: take_cell(page, key),
        selection_mode="single-cell",
        alt=SCORES,
        placeholder=show.EMPTY,
    )


def shown(example: Example) -> pd.DataFrame:
    """The scores, beside the printed ones where there are some, by rankings as a reader wants them."""
    scores, printed = example.scores.value, example.printed
    table = scores if printed is None else beside(scores, printed.value)
    return table.set_axis(pd.Index([order(name) for name in table.index], name="ranking"))


def beside(scores: pd.DataFrame, printed: pd.DataFrame) -> pd.DataFrame:
    """Each computed column followed by the printed one, which says whether they agree."""
    columns: dict[str, pd.Series] = {}
    for name in NAMES:
        wrong = differs(scores[name], printed[name])
        columns[name] = scores[name]
        compared = [f"{'≠' if off else '='} {value:.4f}" for off, value in zip(wrong, printed[name], strict=True)]
        columns[f"{name} printed"] = pd.Series(compared, scores.index)
    return pd.DataFrame(columns)


def differs(ours: pd.Series, printed: pd.Series) -> pd.Series:
    return (ours - printed).abs() > ROUNDING


def styled(table: pd.DataFrame, row: str, column: str) -> Styler:
    """Computed columns shaded by score, printed ones quieter, one cell marked."""
    mark = pd.DataFrame("", table.index, table.columns)
    mark.loc[row, column] = f"background-color: {MARK}"
    return table.style.apply(_column_style).apply(lambda _: mark, axis=None)


def _column_style(column: pd.Series) -> list[str]:
    if column.name in NAMES:
        best = max(column.max() - ROUNDING, 0)
        shades = [f"background-color: rgba(65, 104, 169, {0.03 + 0.42 * value**2:.3f})" for value in column]
        bold = ["; font-weight: 700" if value > best else "" for value in column]
        return [shade + weight for shade, weight in zip(shades, bold, strict=True)]
    quiet, wrong = PRINT_INK[st.context.theme.type or "light"]
    return [f"color: {wrong}; font-weight: 700" if cell.startswith("≠") else f"color: {quiet}" for cell in column]


@callback
def take_cell(page: ExampleSettings, key: str) -> None:
    """The clicked score goes under the glass."""
    cells = st.session_state[key]["selection"]["cells"]
    if cells:
        row, column = cells[0]
        name = str(column).split()[0]
        page.change(ranking=list(RANKINGS)[row], score=name if name in NAMES else page.score)


def errata(example: Example) -> Text:
    """Why computed and printed values differ, where they do."""
    if example.printed is None:
        return Text.note("The paper's values are shown beside ours while the labels are the paper's.")
    wrong = differs(example.scores.value["MM"], example.printed.value["MM"])
    odd = [order(ranking) for ranking, _ in MISPRINTS[example.page.inner] if wrong[ranking]]
    halves = int(wrong.sum()) - len(odd)
    lines = []
    if halves:
        lines.append(
            f":red[**≠**] **{halves} values of MM** are printed as half of what Eq. 6 of the same paper gives: weights "
            "made to sum to 1 above the fraction bar, left out below it. The authors' program computes Eq. 6, and so "
            "do we; *MM as printed* halves ours."
        )
    if odd:
        lines.append(
            f":red[**≠**] **MM of ({odd[0]}) and ({odd[-1]})**, printed .25, fits neither: AP is .25 for relevance "
            "and 1 for correctness, so Eq. 6 gives .4 and half of it is .2."
        )
    return Text("  \n".join(lines) or "All printed values are met to their last digit.")


def under_the_glass(example: Example) -> None:
    """One score written out."""
    show.put(Text("One score, step by step", "heading"))
    page, measure = example.page, example.measure
    left, right, place = st.columns([1, 2, 2.4], vertical_alignment="bottom")
    with left:
        page.draw("ranking")
    with right:
        page.draw("score")
    with place:
        show.put(one_score(example))
    step_by_step(example)
    with st.expander("The formula, and the same in Python"):
        show.put(Latex(measure.value.latex(example.pool.scales)))
        st.code(f'evalcore.parse("""{measure.value}""")', language="python", wrap_lines=True)


def step_by_step(example: Example) -> None:
    """From the labels to the score under the glass."""
    measure = example.measure
    if isinstance(measure.value, TOMA):
        toma_steps(example, measure)
    else:
        aggregate_steps(example, measure)


def one_score(example: Example) -> Text:
    """The score under the glass, and what the paper prints for it."""
    page, printed = example.page, example.printed
    score: Call[Any] = line("score", example.scores.it.loc[page.ranking, page.score])
    compare = ""
    if printed:
        there = float(printed.value[page.score][page.ranking])
        compare = f", printed {there:.4f}" + (" :red[**≠**]" if abs(score.value - there) > ROUNDING else "")
    text = f"{page.score} over {page.inner} of ({order(page.ranking)}): **{score.value:.4f}**{compare}"
    return Text(text, calls=(score,))


def toma_steps(example: Example, measure: Call[TOMA]) -> None:
    """Labels combined, then the weights scored."""
    steps = call("steps", label_steps, measure.it, example.collection.it.assessments)
    show.put(Text("**1. Combine the labels:** positions, distance to the best, class of that distance, its weight."))
    show.put(Latex(weights_latex(measure.value, example.pool, steps.value), (steps,)))
    if example.page.inner == "AP":
        classes = measure.value.order(example.pool).n_classes
        about = f"AP reads yes or no: the top half of the {classes} classes, rounded up, weighs 1, the rest 0."
    else:
        about = "Class 1 is the farthest from the best labels; each class weighs one more than the one below."
    show.put(Text.note(about))
    with st.expander("All classes, best first"):
        show.put(classes_table(example, measure))
    show.put(Text(f"**2. Score the weights with {example.page.inner}.**"))
    part = line("part", example.taken_apart(measure.it))
    written_out(part.value, measure.value.base, "W", "terms", calls=(part,))


def classes_table(example: Example, measure: Call[TOMA]) -> Table:
    """The classes of labels, the best first."""
    classes = call("classes", class_steps, measure.it, example.collection.it.assessments)
    table = classes.value.groupby("class", sort=False).agg(
        labels=("labels", lambda labels: " = ".join(f"({label})" for label in labels)),
        distance=("distance", "first"),
        W=("weight", "first"),
    )
    caption = f"The classes of label tuples and their weights, of {measure.value}."
    return Table(table, "classes", caption=caption, calls=(classes,))


def weights_latex(measure: TOMA, pool: Assessments, steps: pd.DataFrame) -> str:
    """Labels to weights of every document, a line each."""
    tops = {name: places[-1] for name, places in measure.positions(pool).items()}
    count, lines = measure.order(pool).n_classes, []
    for document, row in steps.iterrows():
        places = ", ".join(short(row[name]) for name in measure.aspects)
        gaps = [(f"({short(top)} - {short(row[name])})", 1.0) for name, top in tops.items()]
        labels = r",\ ".join(rf"\text{{{label}}}" for label in row["labels"].split(", "))
        lines.append(
            rf"{symbol(document)}: ({labels}) \mapsto ({places}) & "
            rf"{measure.distance.latex(gaps)} = {short(row['distance'])} & "
            rf"\text{{class {row['class']} of {count}}} & W = {short(row['weight'])}"
        )
    return r"\begin{array}{llll}" + r" \\[6pt] ".join(lines) + r"\end{array}"


def aggregate_steps(example: Example, measure: Call[Aggregate]) -> None:
    """Each aspect scored, then the scores combined."""
    pool, inner = example.pool, example.page.inner
    show.put(Text(f"**1. Score each aspect with {inner}.**"))
    parts = line("parts", each(measure.it.parts, example.taken_apart))
    scores = call("of_each", np.array, each(parts.it, lambda part: part.score))
    columns = st.columns(len(ASPECTS), gap="large")
    for place, part, scorer, name in zip(columns, parts.value, measure.value.parts, ASPECTS, strict=True):
        with place:
            show.put(Text(f"{name.capitalize()}: the gain g is {gain_words(scorer, pool.scale(name))}"))
            written_out(part, scorer, "g", f"terms {name}", stacked=True, calls=(parts, scores))
    show.put(Text("**2. Combine the scores.**"))
    is_mm = isinstance(measure.value, MM)
    show.put(Latex(mean_latex(measure.value, scores.value, example.page.halved and is_mm), (scores,)))
    if is_mm and not scores.value.all():
        show.put(Text.note(NOT_DEFINED))
