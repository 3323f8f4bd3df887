"""Does readability change who wins? RBP against uRBP, live."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import figures
from evalcore.data import Collection, Scale
from evalcore.measures import RBP, GainMeasure, uRBP, uRBP1, uRBP2, uRBPgr
from evalcore.measures.suggestions import PAPER_THRESHOLDS, like_fog, usual_gains, usual_thresholds
from evalcore.meta import ranks
from ui import collections, pins, show, site
from ui.code import as_python
from ui.controls import choose, choose_many, numbers, parameter_slider, slider, switch
from ui.text import markdown

MODELS = ("step", "smooth", "graded")
MODEL_HELP = (
    "What a reader makes of a hard document. step: understands it wholly or not at all (uRBP1). smooth: the same "
    "with a gentle border (uRBP2). graded: a gain for each grade (uRBPgr)."
)
LIMITS = {"same": 0.01, "apart": 0.03}  # of differences of means, for the red and blue pairs
RESAMPLES = 1000
VIEWS = ("Ranking", "Correlation", "Told apart", "Scores")


def main() -> None:
    collection = collections.current()
    st.title("Does readability change who wins?", anchor=False)
    columns = [name for name in (*collection.aspects, *collection.signals) if name != "relevance"]
    if lack := what_is_missing(collection, columns):
        st.info(lack, icon=":material/info:")
        return
    left, right = st.columns([0.3, 0.7], gap="medium")
    with left:
        baseline, variants, selected, mark = controls(collection, columns)
    scores = ec.evaluate([baseline, *variants], collection)
    pin = pins.bar([baseline, variants[0]])
    with right:
        before = pins.before(pin, collection, 2)
        headline(scores, before)
        draw_scatter(collection, scores, variants, selected, mark, before)
        site.drill(variants[0], selected)
    with left:
        draw_gains(collection, variants)
    show.explain(*explanation(variants[0]))
    formulas(collection, baseline, variants[0])
    details(collection, scores, baseline, variants, selected, before)
    as_python(collection, *code(baseline, variants[0]))


def code(baseline: RBP, variant: GainMeasure) -> tuple[str, ...]:
    """What recomputes the headline."""
    return (
        f"rbp = ec.evaluate({str(baseline)!r}, c).mean()",
        f"urbp = ec.evaluate({str(variant)!r}, c).mean()",
        "tau = ec.tau(rbp, urbp)",
        "tau_ap = ec.tau_ap(urbp, rbp)  # reference second",
        "changes = ec.rank_changes(rbp, urbp)",
    )


def what_is_missing(collection: Collection, columns: list[str]) -> str:
    """Why this page has nothing to show for a collection, and what to do; empty where it has."""
    if not columns or "relevance" not in collection.aspects:
        has = markdown(", ".join((*collection.aspects, *collection.signals)))
        return (
            f"This page sets relevance against a second aspect or a readability signal; the open collection has {has}. "
            "Open files with both, such as qrels.txt and qread.txt, in the sidebar; if an aspect only has another "
            "name, change it on the page Collection."
        )
    if min(len(collection.systems), len(collection.topics)) < 2:
        counts = f"{len(collection.systems)} system(s) and {len(collection.topics)} topic(s)"
        return (
            f"A ranking to compare takes two systems and two topics; the open collection has {counts}. Open more runs."
        )
    return ""


def controls(collection: Collection, columns: list[str]) -> tuple[RBP, list[GainMeasure], list[str], bool]:
    """The measures that the controls define: RBP, and uRBP at one or several thresholds."""
    rho = parameter_slider(RBP, "rho", label="Persistence ρ")
    usual = "understandability" if "understandability" in columns else columns[0]
    column = choose("Understandability from", "column", columns, usual)
    scale = collection.assessments.scale(column)
    offered = [name for name in MODELS if name != "graded" or not scale.continuous]
    default = "graded" if "graded" in offered and scale.kind == "grades" else "step"
    model = choose("User model", "model", offered, default, segmented=True, help=MODEL_HELP)
    if model == "graded":
        variants: list[GainMeasure] = [uRBPgr(rho=rho, aspect=column, gains=grade_gains(scale))]
    else:
        kind = uRBP2 if model == "smooth" else step_model(scale)
        variants = [kind(rho=rho, aspect=column, threshold=at) for at in thresholds(collection, scale)]
    selected = choose_many(
        "Highlight systems", "systems", collection.systems, placeholder="all; or lasso them in the figure"
    )
    with st.expander("More settings"):
        mark = switch(
            "Red and blue pairs", "mark", True, help="Join systems that only one of the two measures tells apart"
        )
        rel = relevant_from(collection)
    return RBP(rho=rho, rel=rel), [variant.with_(rel=rel) for variant in variants], selected, mark


def relevant_from(collection: Collection) -> float:
    """The lowest grade that counts as relevant."""
    scale = collection.assessments.scale("relevance")
    grades = [f"{grade:g}" for grade in scale.grades if grade > max(scale.low, 0)] or ["1"]
    return float(choose("Relevant from grade", "rel", grades, help="Lower grades of relevance count as not relevant"))


def threshold_of(measure: GainMeasure) -> float | None:
    return getattr(measure, "threshold", None)


def setting(measure: GainMeasure) -> str:
    """What tells one variant from the next."""
    threshold = threshold_of(measure)
    return "gain per grade" if threshold is None else f"th = {threshold:g}"


def step_model(scale: Scale) -> type[uRBP] | type[uRBP1]:
    """The paper's name for a step: uRBP over grades, uRBP1 over a readability."""
    return uRBP if scale.kind == "grades" else uRBP1


def thresholds(collection: Collection, scale: Scale) -> list[float]:
    """The threshold of the slider, then those to compare it with."""
    values = collection.assessments.column(scale.name)
    low, high = float(np.floor(np.nanmin(values))), float(np.ceil(np.nanmax(values)))
    whole = scale.kind == "grades"
    if whole and not scale.continuous:
        low += 1.0
    middle = scale.border if whole else usual_thresholds(collection.assessments, scale)[0]
    side = "from" if scale.good == "high" else "below"
    first = slider(
        f"Understandable {side}",
        "th",
        low,
        max(high, low + 1),
        float(min(max(middle, low), high)),
        1.0 if whole else 0.5 if high - low > 5 else 0.01,
        help="The threshold th of the user model" + (f", in {scale.unit}" if scale.unit else ""),
    )
    offered = sorted(PAPER_THRESHOLDS) if like_fog(values) else ()
    more = numbers(
        "and at the same time", "also", low, high, offered, help="Further thresholds, as in Figure 1 of the paper"
    )
    return list(dict.fromkeys([first, *more]))


def grade_gains(scale: Scale) -> tuple[float, ...]:
    """One slider per grade, from worst to best."""
    grades = scale.grades if scale.good == "high" else scale.grades[::-1]
    names = scale.names if scale.good == "high" else scale.names[::-1]
    default = usual_gains(scale)
    with st.popover("Gains of the grades", width="stretch", icon=":material/tune:"):
        return tuple(
            slider(f"{grade:g} {markdown(names[at]) if names else ''}".strip(), f"g{at}", 0.0, 1.0, default[at], 0.05)
            for at, grade in enumerate(grades)
        )


def headline(scores: dict[str, pd.DataFrame], before: list[pd.Series] | None) -> None:
    """The answer: how alike the rankings are, and who is first; with a baseline, how both changed."""
    (x_text, x), (y_text, y) = list(scores.items())[:2]
    x_means, y_means = x.mean(), y.mean()
    tau, tau_ap, winners = st.columns([1, 1, 4], vertical_alignment="center")
    help = "Kendall's tau_b of the two rankings: 1 means the same order"
    pins.metric(tau, "τ", ec.tau(x_means, y_means), ec.tau(*before) if before else None, help)
    help = f"Yilmaz's AP correlation, reference {markdown(x_text)}: swaps near the top weigh more"
    pins.metric(tau_ap, "τ_AP", ec.tau_ap(y_means, x_means), ec.tau_ap(*before[::-1]) if before else None, help)
    lines = [
        f"First by {markdown(text)}: **{markdown(means.idxmax())}** {means.max():.4f}"
        for text, means in ((x_text, x_means), (y_text, y_means))
    ]
    rank = ranks(x_means)[str(y_means.idxmax())]
    if rank > 1:
        lines[1] += f" (rank {rank} by RBP)"
    winners.markdown("  \n".join(lines))


def draw_scatter(
    collection: Collection,
    scores: dict[str, pd.DataFrame],
    variants: list[GainMeasure],
    selected: list[str],
    mark: bool,
    before: list[pd.Series] | None,
) -> None:
    texts = list(scores)
    means = {text: frame.mean() for text, frame in scores.items()}
    x = means.pop(texts[0])
    names = [text.split("(")[0] for text in texts]
    apart = None
    if mark:
        limits = {key: told_apart_limit(key) for key in LIMITS}
        first, second = scores[texts[0]], scores[texts[1]]
        apart = {
            f"apart by {names[1]} only": ec.told_apart(first, second, **limits).head(3),
            f"apart by {names[0]} only": ec.told_apart(second, first, **limits).head(3),
        }
    if len(means) > 1:
        means = {setting(variant): means[str(variant)] for variant in variants}
    figure = figures.scatter(
        x,
        means,
        collections.styles(collection),
        selected=selected,
        apart=apart,
        before=(before[0], before[1]) if before else None,
        x_title=figures.plain(texts[0]),
        y_title=figures.plain(texts[1] if len(means) == 1 else f"{names[1]} of {variants[0].columns[1]}"),
    )
    alt = f"Scatter of {len(x)} systems, {texts[0]} across and {texts[1]} up; the values are in the table under Scores"
    show.figure(figure, "scatter", alt, on_select=take_selection)


def told_apart_limit(key: str) -> float:
    """The limit set under *Told apart*; before that view was opened, the link's, else the default."""
    try:
        return float(st.session_state.get(key, st.query_params.get(key, LIMITS[key])))
    except ValueError:
        return LIMITS[key]


def take_selection(systems: list[str]) -> None:
    """Systems clicked or lassoed in the scatter become the highlighted ones."""
    st.session_state["systems"] = systems


def draw_gains(collection: Collection, variants: list[GainMeasure]) -> None:
    """u(k): what the user model makes of each value of the column."""
    column = variants[0].columns[1]
    scale = collection.assessments.scale(column)
    values = collection.assessments.column(column)
    graded = scale.kind == "grades" and not scale.continuous
    x = np.array(scale.grades) if graded else np.linspace(np.nanmin(values), np.nanmax(values), 241)
    curves = {}
    for variant in variants:
        gain = variant.gain_functions()[column]
        curves[setting(variant)] = (x, gain.of(x, scale))
    title = figures.plain(column) + (f" ({scale.unit})" if scale.unit else "")
    figure = figures.gain_curves(values, curves, title, steps=graded)
    show.figure(figure, "gains", f"What a document gains by its {column}; bars: how many assessed documents have it")


def explanation(variant: GainMeasure) -> tuple[str, str, str]:
    column = markdown(variant.columns[1])
    knob = (
        "Open the gains of the grades and give a hard document nothing: the order changes more."
        if isinstance(variant, uRBPgr)
        else "Ask for more understandability and watch the order break up; ask for less and both measures agree."
    )
    return (
        "Each mark is a system. To the right: its mean RBP, which credits every relevant document. Up: its mean uRBP, "
        f"which credits a relevant document only as far as its {column} says that a reader understands it.",
        "On the dotted line nothing is lost. The further below, the more of a system's relevant documents are hard to "
        "read. Blue joins systems that RBP takes for equal and uRBP does not; red the other way round.",
        f"{knob} Then make the reader impatient (small ρ): only the first ranks count.",
    )


def formulas(collection: Collection, baseline: RBP, variant: GainMeasure) -> None:
    with st.expander("The formulas, with today's numbers in them"):
        scales = collection.assessments.scales
        st.latex(baseline.latex(scales))
        st.latex(variant.latex(scales))
        st.caption("k is the rank, from 1. The mean over topics is plotted. An unassessed document gains nothing.")


def details(
    collection: Collection,
    scores: dict[str, pd.DataFrame],
    baseline: RBP,
    variants: list[GainMeasure],
    selected: list[str],
    before: list[pd.Series] | None,
) -> None:
    """One of four closer looks; only the open one is computed."""
    view = choose("Look closer", "view", VIEWS, segmented=True)
    if view == "Ranking":
        means = {text: frame.mean() for text, frame in ascending(scores, variants)}
        st.caption("Ranks from best (top) to worst; a line that crosses another is a pair of systems that swapped.")
        figure = figures.bump(means, collections.styles(collection), selected)
        alt = "Ranks of all systems under each measure; the values are in the table under Scores"
        show.figure(figure, "bump", alt, on_select=take_selection, modes=("points",))
    elif view == "Correlation":
        correlations(collection, baseline, variants)
    elif view == "Told apart":
        told_apart(scores)
    else:
        score_table(collection, scores, baseline, before)


def ascending(scores: dict[str, pd.DataFrame], variants: list[GainMeasure]) -> list[tuple[str, pd.DataFrame]]:
    """RBP first, then the variants by ascending threshold."""
    ordered = sorted(variants, key=lambda variant: threshold_of(variant) or 0.0)
    return [next(iter(scores.items())), *((str(variant), scores[str(variant)]) for variant in ordered)]


def correlations(collection: Collection, baseline: RBP, variants: list[GainMeasure]) -> None:
    """tau and tau_AP of RBP with every user model at every threshold: Tables 1 and 2 of the paper."""
    column = variants[0].columns[1]
    scale = collection.assessments.scale(column)
    chosen = sorted(at for at in map(threshold_of, variants) if at is not None) or scale.grades[1:]
    measures: list[GainMeasure] = [
        model(rho=baseline.rho, aspect=column, threshold=threshold)
        for model in (step_model(scale), uRBP2)
        for threshold in chosen
    ]
    if not scale.continuous:
        gains = getattr(variants[0], "gains", usual_gains(scale))
        measures.append(uRBPgr(rho=baseline.rho, aspect=column, gains=gains))
    table = correlation_table(collection.fingerprint, str(baseline), tuple(map(str, measures)), collection)
    st.caption(
        f"How alike the ranking of systems by {markdown(baseline)} and by each variant is, over "
        f"{len(collection.topics)} topics; in brackets the 95 % interval of {RESAMPLES:,} bootstrap samples of topics "
        "(seed 0)."
        " τ is Kendall's tau_b; τ_AP is Yilmaz's, reference RBP. The paper's Tables 1 and 2 have this shape."
    )
    drawn = {"resamples": RESAMPLES, "seed": 0}
    show.table(in_the_papers_shape(table, measures), "correlations", download=table, drawn=drawn)


def in_the_papers_shape(table: pd.DataFrame, measures: list[GainMeasure]) -> pd.DataFrame:
    """User models down, thresholds across; estimate and interval in one cell."""
    cells: dict[str, dict[str, str]] = {}
    for measure, row in zip(measures, table.itertuples(index=False), strict=True):
        for name, estimate, low, high in (("τ", *row[1:4]), ("τ_AP", *row[4:7])):
            line = cells.setdefault(f"RBP vs. {type(measure).__name__}: {name}", {})
            line[setting(measure)] = f"{estimate:.3f}  [{low:.3f}, {high:.3f}]"
    return pd.DataFrame(cells).T.fillna("")


@st.cache_data(max_entries=64, show_spinner="Resampling topics")
def correlation_table(
    fingerprint: str, baseline: str, measures: tuple[str, ...], _collection: Collection
) -> pd.DataFrame:
    """One row per measure: tau and tau_AP with bootstrap intervals; the same resamples for all."""
    x = ec.evaluate(baseline, _collection)
    rows = []
    for text in measures:
        y = ec.evaluate(text, _collection)
        tau = ec.bootstrap_interval(ec.tau, x, y, RESAMPLES)
        tau_ap = ec.bootstrap_interval(ec.tau_ap, y, x, RESAMPLES)
        rows.append((text, tau.estimate, tau.low, tau.high, tau_ap.estimate, tau_ap.low, tau_ap.high))
    names = ["measure", "τ", "τ low", "τ high", "τ_AP", "τ_AP low", "τ_AP high"]
    return pd.DataFrame(rows, columns=names)


def told_apart(scores: dict[str, pd.DataFrame]) -> None:
    """The blue and red cases of Figure 2, found."""
    (x_text, x), (y_text, y) = list(scores.items())[:2]
    left, right = st.columns(2)
    with left:
        same = slider("Alike: means differ by at most", "same", 0.0, 0.05, LIMITS["same"], 0.001, format="%.3f")
    with right:
        apart = slider("Apart: means differ by at least", "apart", 0.0, 0.2, LIMITS["apart"], 0.005, format="%.3f")
    cases = (
        (left, "blue", x_text, y_text, ec.told_apart(x, y, same=same, apart=apart)),
        (right, "red", y_text, x_text, ec.told_apart(y, x, same=same, apart=apart)),
    )
    for place, colour, alike, different, pairs in cases:
        with place:
            count = f"{len(pairs):,} pair" + ("" if len(pairs) == 1 else "s")
            st.markdown(f":{colour}[**{count}**] alike by {markdown(alike)}, apart by {markdown(different)}")
            if pairs.empty:
                st.caption("No such pair at these limits; widen them.")
                continue
            show.table(
                pairs,
                f"{colour} pairs",
                decimals={"p_x": 3, "p_y": 3},
                index=False,
                height=300 if len(pairs) > 7 else "auto",
            )
    st.caption("system_a is the better one where they are apart; p: two-sided paired t-test over topics, uncorrected.")


def score_table(
    collection: Collection, scores: dict[str, pd.DataFrame], baseline: RBP, before: list[pd.Series] | None
) -> None:
    means = {text: frame.mean() for text, frame in scores.items()}
    table = pd.DataFrame(means)
    for at, text in enumerate(means):
        table[f"rank by {text}"] = ranks(means[text]).astype(int)
        if before and at < len(before):
            table[f"places won since the pin by {text}"] = pins.rank_changes(means[text], before[at])
    table["RBP residual"] = ec.residual(baseline, collection).mean()
    table["assessed@10"] = collection.report.systems["assessed@10"]
    show.table(table.sort_values(str(baseline), ascending=False), "scores", decimals={"assessed@10": 2}, height=500)
    st.caption("The residual is how much RBP could still rise if every unassessed document were relevant.")


main()
