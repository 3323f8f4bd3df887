"""Three documents (Maistro et al. 2021, Table 3): what each measure says of their rankings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd
import streamlit as st
from pandas.io.formats.style import Styler

import evalcore as ec
from evalcore.data import Collection
from evalcore.data.small import small_collection
from evalcore.explain.arithmetic import arithmetic, class_steps, label_steps
from evalcore.explain.partial_order import at_least_as_good
from evalcore.measures import MM, TOMA, Aggregate, Measure
from evalcore.measures.tuple_orders import pool_tuples
from evalcore.papers.three_documents import ADMISSIBLE, ASPECTS, LABELS, MEASURES, MISPRINTS, SCALES, table_3
from ui.address.presets import draw_presets
from ui.data.as_python import python
from ui.screen.items import Latex, Table, Text
from ui.stage import report, show
from ui.widgets.callback import callback
from ui.worked_examples.arithmetic import gain_words, mean_latex, short, symbol, written_out
from ui.worked_examples.controls import NAMES, RANKINGS, ExampleSettings, order, presets

ROUNDING = 0.5001e-4  # printed with 4 decimals
MARK = "rgba(214, 158, 46, 0.55)"
PRINT_INK = {"light": ("#5c6773", "#b8323f"), "dark": ("#9aa5b1", "#f07583")}  # agrees, differs


@dataclass(frozen=True)
class Example:
    """Three labelled documents, the fifteen rankings of them, and their scores."""

    collection: Collection
    inner: str  # AP or NDCG
    measures: dict[str, Measure]
    scores: pd.DataFrame  # rankings x measures
    halved: bool  # MM as the paper prints it
    printed: pd.DataFrame | None  # where the labels are the paper's


def three_documents(page: ExampleSettings, places: Sequence[st.delta_generator.DeltaGenerator]) -> None:
    for place, name in zip(places, ("inner", "halved"), strict=False):
        with place:
            page.draw(name)
    with places[2]:
        draw_presets(page, "labels", presets())
    for place, document in zip(st.columns(len(LABELS), gap="medium"), LABELS, strict=True):
        with place, st.container(horizontal=True, gap="small"):
            page.draw(document)
    example = scored(page.grades, page.inner, page.halved)
    say_what_is_open(example)
    table = st.container()
    report.shown("", Table(shown(example), "Scores of fifteen rankings by five measures"))
    errata(example)
    show.explain(
        "Table 3 of Maistro et al. (2021), computed anew: all fifteen rankings of three documents, scored by five "
        "measures of two aspects; the stronger the colour the better, bold the best of a column. CAM and MM score each "
        "aspect, then average; the TOMAs (EUCL, MANH, CHEB) make one grade of both labels, then score.",
        "Look for a 1: a measure without one cannot say that a ranking is as good as can be. CAM and MM lack it where "
        "documents cannot be compared: one order pleases one aspect only. TOMA decides by a distance what comes first.",
        "Click a score: it turns yellow and its arithmetic is written out below. Then set the labels to *a clear "
        "order* and watch CAM and MM reach 1, or change one label of d1 and see who wins.",
    )
    under_the_glass(page, example)
    readings()
    python(lambda: code(page, example))
    with table:
        draw_table(page, example)


def scored(labels: dict[str, tuple[int, ...]], inner: str, halved: bool) -> Example:
    collection = small_collection(pd.DataFrame(labels, index=list(ASPECTS)).T, RANKINGS, SCALES)
    measures = {name: ec.parse(text) for name, text in MEASURES[inner].items()}
    if not set(labels.values()) <= set(ADMISSIBLE):
        tomas = {name: one for name, one in measures.items() if isinstance(one, TOMA)}
        measures |= {name: one.with_(tuples="product") for name, one in tomas.items()}
    scores = pd.DataFrame({name: ec.evaluate(one, collection).iloc[0] for name, one in measures.items()})
    if halved:
        scores["MM"] /= 2
    return Example(collection, inner, measures, scores, halved, table_3(inner) if labels == LABELS else None)


def say_what_is_open(example: Example) -> None:
    """Which documents cannot be compared, and which labels the paper rules out."""
    pool = example.collection.assessments
    tuples = pool_tuples(pool, ASPECTS)
    better = at_least_as_good(tuples)
    pairs = [
        f"{pool.documents[i]} and {pool.documents[j]}"
        for i, j in combinations(range(len(pool)), 2)
        if not better[i, j] and not better[j, i]
    ]
    best = {name: example.scores[name].max() for name in NAMES}
    missed = [f"{name} (best {score:.4f})" for name, score in best.items() if score < 1 - ROUNDING]
    open_pairs = (
        f"**Not comparable: {' · '.join(pairs)}**, each is better on one aspect."
        if pairs
        else "**All documents can be compared**: none is better on one aspect and worse on the other."
    )
    reach = f"No ranking reaches 1 by {' and '.join(missed)}." if missed else "Every measure reaches 1."
    if not any(best.values()):
        reach = "**No document is worth anything:** all scores are 0, TOMA's too, though section 4.2 promises it a 1."
    show.put(Text(f"{open_pairs} {reach}"))
    odd = [
        str(document)
        for document, one in zip(pool.documents, tuples.tolist(), strict=True)
        if tuple(one) not in ADMISSIBLE
    ]
    if odd:
        are = f"{' and '.join(odd)} {'is' if len(odd) == 1 else 'are'} not relevant (nr) yet (partially) correct"
        st.info(
            f"{are}. The paper rules such labels out (section 3.4: without information on the topic nothing is correct "
            "on it) and orders 10 tuples of labels. Here all 12 are admitted, so TOMA's classes and weights change.",
            icon=":material/info:",
        )


def draw_table(page: ExampleSettings, example: Example) -> None:
    """Table 3. The score under the glass is marked; a click on another one takes its place."""
    table = shown(example)
    key = "table3" if example.printed is None else "table3-printed"  # other columns, another selection
    columns = {one: st.column_config.NumberColumn(one, format="%.4f") for one in NAMES}
    columns |= {f"{one} printed": st.column_config.TextColumn("printed") for one in NAMES}
    st.dataframe(
        styled(table, order(page.ranking), page.score),
        key=key,
        height=26 * len(table) + 38,
        row_height=26,
        column_config=columns,
        on_select=lambda: take_cell(page, key),
        selection_mode="single-cell",
        alt="Scores of fifteen rankings by five measures",
    )


def shown(example: Example) -> pd.DataFrame:
    """The scores, beside the printed ones where there are some, by rankings as a reader wants them."""
    scores, printed = example.scores, example.printed
    table = scores if printed is None else beside(scores, printed)
    return table.set_axis(pd.Index([order(name) for name in table.index], name="ranking"))


def beside(scores: pd.DataFrame, printed: pd.DataFrame) -> pd.DataFrame:
    """Each computed column followed by the printed one, which says whether they agree."""
    columns: dict[str, pd.Series] = {}
    for name in NAMES:
        wrong = differs(scores[name], printed[name])
        columns[name] = scores[name]
        said = [f"{'≠' if off else '='} {value:.4f}" for off, value in zip(wrong, printed[name], strict=True)]
        columns[f"{name} printed"] = pd.Series(said, scores.index)
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


def errata(example: Example) -> None:
    """Why computed and printed values differ, where they do."""
    if example.printed is None:
        show.put(Text("The paper's values are shown beside ours while the labels are the paper's.", "note"))
        return
    wrong = differs(example.scores["MM"], example.printed["MM"])
    odd = [order(ranking) for ranking, _ in MISPRINTS[example.inner] if wrong[ranking]]
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
    show.put(Text("  \n".join(lines) or "All printed values are met to their last digit."))


def under_the_glass(page: ExampleSettings, example: Example) -> None:
    """One score written out."""
    show.put(Text("One score, step by step", "heading"))
    left, right, said = st.columns([1, 2, 2.4], vertical_alignment="bottom")
    with left:
        page.draw("ranking")
    with right:
        page.draw("score")
    ranking, name = page.ranking, page.score
    system = list(RANKINGS).index(ranking)
    score, measure = float(example.scores[name].to_numpy(dtype=float)[system]), example.measures[name]
    with said:
        compare = ""
        if example.printed is not None:
            there = example.printed[name].to_numpy(dtype=float)[system]
            compare = f", printed {there:.4f}" + (" :red[**≠**]" if abs(score - there) > ROUNDING else "")
        show.put(Text(f"{name} over {example.inner} of ({order(ranking)}): **{score:.4f}**{compare}"))
    if isinstance(measure, TOMA):
        toma_steps(example, measure, system)
    elif isinstance(measure, Aggregate):
        aggregate_steps(example, measure, system)
    with st.expander("The formula, and the same in Python"):
        show.put(Latex(measure.latex(example.collection.assessments.scales)))
        st.code(f'evalcore.parse("""{measure}""")', language="python", wrap_lines=True)


def toma_steps(example: Example, measure: TOMA, system: int) -> None:
    pool = example.collection.assessments
    show.put(Text("**1. Combine the labels:** positions, distance to the best, class of that distance, its weight."))
    show.put(Latex(weights_latex(measure, pool)))
    if example.inner == "AP":
        classes = measure.order(pool).n_classes
        show.put(
            Text(
                f"AP reads yes or no: the top half of the {classes} classes, rounded up, weighs 1, the rest 0.", "note"
            )
        )
    else:
        show.put(
            Text("Class 1 is the farthest from the best labels; each class weighs one more than the one below.", "note")
        )
    with st.expander("All classes, best first"):
        draw_classes(measure, pool)
    show.put(Text(f"**2. Score the weights with {example.inner}.**"))
    part = arithmetic(measure, pool, example.collection.rankings, system)
    written_out(part, measure.base, "W", "terms")


def draw_classes(measure: TOMA, pool: ec.Assessments) -> None:
    table = (
        class_steps(measure, pool)
        .groupby("class", sort=False)
        .agg(
            labels=("labels", lambda labels: " = ".join(f"({one})" for one in labels)),
            distance=("distance", "first"),
            W=("weight", "first"),
        )
    )
    show.put(Table(table, "classes", caption=f"The classes of label tuples and their weights, of {measure}."))


def weights_latex(measure: TOMA, pool: ec.Assessments) -> str:
    """Labels to weights of every document, a line each."""
    tops = {name: places[-1] for name, places in measure.positions(pool).items()}
    count, lines = measure.order(pool).n_classes, []
    for document, row in label_steps(measure, pool).iterrows():
        places = ", ".join(short(row[name]) for name in measure.aspects)
        gaps = [(f"({short(top)} - {short(row[name])})", 1.0) for name, top in tops.items()]
        labels = r",\ ".join(rf"\text{{{label}}}" for label in row["labels"].split(", "))
        lines.append(
            rf"{symbol(document)}: ({labels}) \mapsto ({places}) & "
            rf"{measure.distance.latex(gaps)} = {short(row['distance'])} & "
            rf"\text{{class {row['class']} of {count}}} & W = {short(row['weight'])}"
        )
    return r"\begin{array}{llll}" + r" \\[6pt] ".join(lines) + r"\end{array}"


def aggregate_steps(example: Example, measure: Aggregate, system: int) -> None:
    pool, rankings = example.collection.assessments, example.collection.rankings
    show.put(Text(f"**1. Score each aspect with {example.inner}.**"))
    parts = []
    for place, part, name in zip(st.columns(len(ASPECTS), gap="large"), measure.parts, ASPECTS, strict=True):
        with place:
            parts.append(arithmetic(part, pool, rankings, system))
            show.put(Text(f"{name.capitalize()}: the gain g is {gain_words(part, pool.scale(name))}"))
            written_out(parts[-1], part, "g", f"terms {name}", stacked=True)
    show.put(Text("**2. Combine the scores.**"))
    scores = np.array([part.score for part in parts])
    show.put(Latex(mean_latex(measure, scores, example.halved and isinstance(measure, MM))))
    if isinstance(measure, MM) and not scores.all():
        show.put(
            Text(
                "The harmonic mean is not defined with a 0; its limit is 0, however good the other aspect is. This "
                "is the paper's first problem with MM.",
                "note",
            )
        )


def code(page: ExampleSettings, example: Example) -> list[str]:
    """What recomputes the table and the score under the glass."""
    halved, measure = ['table["MM"] /= 2  # as printed'], example.measures[page.score]
    steps = {
        TOMA: ["steps, classes = label_steps(measure, c.assessments), class_steps(measure, c.assessments)"],
        Aggregate: [
            "parts = [arithmetic(one, c.assessments, c.rankings, system) for one in measure.parts]",
            "of_each = [part.score for part in parts]",
        ],
    }
    return [
        "import pandas as pd",
        "",
        "import evalcore as ec",
        "from evalcore.data.small import small_collection",
        "from evalcore.explain.arithmetic import arithmetic, class_steps, label_steps",
        "from evalcore.papers.three_documents import SCALES, table_3",
        "",
        f"labels = pd.DataFrame({page.grades!r}, index={list(ASPECTS)!r}).T",
        f"rankings = {RANKINGS!r}",
        "c = small_collection(labels, rankings, SCALES)",
        f"measures = { ({name: str(one) for name, one in example.measures.items()})!r}",
        "table = pd.DataFrame({name: ec.evaluate(text, c).iloc[0] for name, text in measures.items()})",
        *(halved if page.halved else []),
        *([f"printed = table_3({page.inner!r})"] if example.printed is not None else []),
        f"score = table.loc[{page.ranking!r}, {page.score!r}]",
        f"measure, system = ec.parse(measures[{page.score!r}]), list(rankings).index({page.ranking!r})",
        *next(lines for kind, lines in steps.items() if isinstance(measure, kind)),
    ]


def readings() -> None:
    with st.expander("What it takes to reproduce Table 3"):
        show.put(
            Text(
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
        )
