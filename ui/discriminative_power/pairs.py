"""Closer looks at the pairs of systems that measures tell apart or not."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import figures
from evalcore.figures.endless import score_text
from evalcore.meta import PairComparison, PairedBootstrap, best_first, corrected_pairs
from evalcore.meta.discrimination import DECISIONS, largest_needed_difference
from evalcore.progress import Tell
from evalcore.rounding import less
from ui.address.families import named
from ui.computing import work
from ui.data import open_collection
from ui.discriminative_power.controls import ONE_PAIR, TUKEY, Power
from ui.screen.items import Figure, Height, Metric, Table
from ui.screen.text import counted, markdown
from ui.stage import show
from ui.widgets.fields import Choice

Tests = Mapping[str, PairedBootstrap]

MOST_PAIRS = 2_000  # that a table lists; the download has them all
PS = {"t": 3, "p (t-test)": 4, "ASL": 4, "p (permutation)": 4, "p (Wilcoxon)": 4, "d_z": 3, "g_z": 3}
CORRECTED = {"t-test": "p (t-test)", "bootstrap": "ASL", "Wilcoxon": "p (Wilcoxon)"}  # tests of all pairs


def bootstraps(page: Power) -> dict[str, PairedBootstrap]:
    """The test of every pair under each measure; fewer measures where the work was stopped."""
    keys = {text: page.kept_as(text, "bootstrap") for text in page.scores}
    jobs = {keys[text]: partial(run_bootstrap, page, text) for text in page.scores}
    found = work.results("power", "Resampling topics", jobs, page.asked(len(page.scores)))
    return {text: found[key] for text, key in keys.items() if key in found}


def run_bootstrap(page: Power, text: str, progress: Tell) -> PairedBootstrap:
    return ec.paired_bootstrap(page.scores[text], counts=page.draws, progress=progress)


def take(page: Power, clicked: list[str]) -> None:
    """A pair clicked in a figure is looked at below."""
    if clicked:
        a, b = json.loads(clicked[0])
        page.change(a=a, b=b, look=ONE_PAIR)


def tested(page: Power, tests: Tests, *texts: str | None) -> bool:
    """Whether these measures are tested; says so where the work was stopped before."""
    waiting = [markdown(page.names[text]) for text in texts if text is not None and text not in tests]
    if waiting:
        st.info(f"Not tested yet: {', '.join(waiting)}. Go on above.", icon=":material/pause_circle:")
    return not waiting


def draw_in_columns(page: Power, *names: str) -> None:
    """The controls of some settings, side by side."""
    for place, name in zip(st.columns(len(names)), names, strict=True):
        with place:
            page.draw(name)


def one_pair(page: Power, tests: Tests) -> None:
    draw_in_columns(page, "a", "b", "measure", "correction")
    if page.pair is None:
        st.info("A system does not differ from itself: choose two.", icon=":material/info:")
        return
    (a, b), text = page.pair, str(page.measure)
    shared = int(page.scores[text][[a, b]].notna().all(axis=1).sum())
    if shared < 2:
        st.info(f"A test takes two topics that both systems have; these have {shared}.", icon=":material/info:")
        return
    pairs = comparisons(page, list(tests), a, b)
    if not tested(page, tests, text) or text not in pairs:
        return
    shown = pairs[text]
    st.caption(
        f"Under {markdown(text)}, {named(a)} is better on {counted((shown.differences > 0).sum(), 'topic')}, "
        f"{named(b)} on "
        f"{(shown.differences < 0).sum()}. Mean difference {score_text(shown.mean, sign='+')}, {_interval(shown)}."
    )
    figure = figures.topic_differences(
        shown.differences, (shown.low, shown.high), (a, b), styles=open_collection.styles(page.collection)
    )
    alt = f"Difference of {a} and {b} on each topic under {text}, sorted by size"
    show.put(Figure(figure, "pair", alt, drawn=page.drawn))
    table = pair_table(page, tests, pairs, (a, b))
    decimals = {name: PS.get(name.split(",")[0], 4) for name in table.columns}
    show.put(Table(table, "pair", decimals=decimals, drawn=page.drawn))
    exact = "all sign flips" if shown.exact else f"{page.resamples:,} random sign flips"
    count = f"{len(tests[text].pairs):,}"
    over = f"The last three columns are corrected by {page.correction} over all pairs of a measure, {count}."
    st.caption(
        f"p (permutation): {exact}. p (Wilcoxon): by the ranks of the differences. d_z: mean / "
        "standard deviation of the differences; g_z: the same without its bias "
        f"in small samples. {over if page.correction != 'none' else 'Nothing is corrected for the other pairs.'}"
    )


def _interval(shown: PairComparison) -> str:
    if np.isnan(shown.asl):
        return "and no test: a score is infinite"
    return f"95% interval {shown.low:+.4f} to {shown.high:+.4f} (dashed line and band)"


def comparisons(page: Power, texts: list[str], a: str, b: str) -> dict[str, PairComparison]:
    keys = {text: page.kept_as(text, "pair", a, b) for text in texts}
    jobs = {keys[text]: partial(run_comparison, page, text, a, b) for text in texts}
    found = work.results("pair", "Testing the pair", jobs, page.asked(0))
    return {text: found[keys[text]] for text in texts if keys[text] in found}


def run_comparison(page: Power, text: str, a: str, b: str, progress: Tell) -> PairComparison:
    return ec.compare_systems(page.scores[text], a, b, page.resamples, page.seed, counts=page.draws, progress=progress)


def pair_table(page: Power, tests: Tests, found: Mapping[str, PairComparison], pair: tuple[str, str]) -> pd.DataFrame:
    """What each measure says of one pair."""
    rows = {}
    for text, one in found.items():
        listed = tests[text].pairs
        at = int(np.flatnonzero(listed["system_a"].isin(pair) & listed["system_b"].isin(pair))[0])
        ways = CORRECTED if page.correction != "none" else ()
        more = [corrected_pairs(tests[text], way, page.correction)["p"].iloc[at] for way in ways]
        rows[page.names[text]] = (
            one.mean, one.low, one.high, one.t, one.p_t, one.asl, one.p_permutation, one.p_wilcoxon,
            one.d_z, one.g_z, *more,
        )  # fmt: skip
    columns = ["difference", "low", "high", *PS]
    columns += [f"{name}, corrected" for name in CORRECTED.values()] if page.correction != "none" else []
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("measure")


def all_pairs(page: Power, tests: Tests) -> None:
    controls, picture = st.columns([0.3, 0.7], gap="medium")
    text = str(page.measure)
    with controls:
        page.draw("measure", "test", *(["correction"] if page.test != TUKEY else []))
        pairs = decided_pairs(page, tests, text)
        if pairs is None:
            return
        numbers_of_pairs(page, pairs)
    order = best_first(page.scores[text].mean()).index
    styles = open_collection.styles(page.collection)
    with picture:
        figure = figures.pair_matrix([str(name) for name in order], pairs, page.alpha, styles=styles)
        alt = f"Systems against systems, best first, under {text}: which pairs are told apart; the list is below"
        show.put(Figure(figure, "matrix", alt, on_select=partial(take, page), modes=("points",), drawn=page.drawn))
    listed = pairs.assign(significant=less(pairs["p"], page.alpha)).sort_values("p", kind="stable")
    show.put(Table(listed.head(MOST_PAIRS), "pairs", index=False, height=320, download=listed, drawn=page.drawn))
    st.caption(
        "difference: mean of system_a less mean of system_b; where low scores are good, the other way round: above 0 "
        f"system_a is better.{untested(tests[text]) if text in tests else ''} Click a cell to look at its pair."
    )


def decided_pairs(page: Power, tests: Tests, text: str) -> pd.DataFrame | None:
    """All pairs with their p by the chosen test; None where there is none yet, which is said."""
    if page.test != TUKEY:
        return corrected_pairs(tests[text], page.test, page.correction) if tested(page, tests, text) else None
    if not len(page.scores[text].dropna()):
        st.info("This test takes topics that all systems have; there is none.", icon=":material/info:")
        return None
    key = page.kept_as(text, TUKEY)
    return work.results("tukey", "Shuffling scores", {key: partial(run_tukey, page, text)}, page.asked(1)).get(key)


def run_tukey(page: Power, text: str, progress: Tell) -> pd.DataFrame:
    return ec.tukey_p(page.scores[text], page.resamples, page.seed, progress)


def numbers_of_pairs(page: Power, pairs: pd.DataFrame) -> None:
    """How many are told apart, and whether the resamples are too few to say."""
    apart = int(less(pairs["p"], page.alpha).sum())
    help = f"{apart:,} of {counted(len(pairs), 'pair')}"
    show.put(Metric("told apart", f"{apart / len(pairs):.1%}", help=help))
    smallest = 1 / page.resamples
    if page.test == "bootstrap" and page.correction != "none" and smallest * len(pairs) > page.alpha:
        st.caption(
            f"The smallest ASL above 0 is {smallest:g}; corrected for {counted(len(pairs), 'pair')} it may exceed α. "
            "More resamples make it finer."
        )


def untested(tests: PairedBootstrap) -> str:
    """How many pairs cannot be tested, and why; empty where all can."""
    if not tests.untested:
        return ""
    count = f"{tests.untested:,} of {counted(len(tests.pairs), 'pair')} {'has' if tests.untested == 1 else 'have'}"
    return f" {count} an infinite score: what cannot be tested is not told apart."


def needed(page: Power, tests: Tests) -> None:
    keys = {text: page.kept_as(text, "needed", page.alpha) for text in tests}
    jobs = {keys[text]: partial(run_needed, page, text) for text in tests}
    found = work.results("needed", "Looking for the difference that is needed", jobs, page.asked(len(tests)))
    largest = {text: found[key] for text, key in keys.items() if key in found}
    if not largest:
        return
    st.caption(
        "Each dot is a pair of systems, blue where it is told apart. The red mark is Sakai's estimate: for every pair, "
        "the difference in the resample whose |t*| is the B·α-th largest; of all pairs the largest. As a rule, a pair "
        "that differs by more is told apart. Units are the measure's own: compare a measure with its own dots only."
    )
    pairs = {page.names[text]: tests[text].pairs for text in largest}
    marks = {page.names[text]: value for text, value in largest.items()}
    figure = figures.needed_strips(pairs, marks, page.alpha)
    alt = "Differences of all pairs by measure, told apart or not; the table has the numbers"
    show.put(Figure(figure, "needed", alt, drawn=page.drawn))
    table = needed_table(page, tests, largest)
    show.put(Table(table, "needed differences", decimals={"power": 3}, drawn=page.drawn))


def run_needed(page: Power, text: str, progress: Tell) -> float:
    frame = page.scores[text]
    return largest_needed_difference(frame, page.alpha, counts=page.draws, progress=progress)


def needed_table(page: Power, tests: Tests, largest: Mapping[str, float]) -> pd.DataFrame:
    rows = {}
    for text, value in largest.items():
        pairs = tests[text].pairs
        pairs = pairs[pairs["asl"].notna()]
        size, apart = pairs["difference"].abs(), less(pairs["asl"], page.alpha)
        rows[page.names[text]] = (
            tests[text].power(page.alpha), value, size[apart].min(), size[~apart].max(), int((size > value).sum()),
        )  # fmt: skip
    columns = ["power", "needed", "smallest told apart", "largest not told apart", "pairs that differ by more"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("measure")


def two_measures(page: Power, tests: Tests) -> None:
    if len(page.scores) < 2:
        st.info("Choose a second measure to compare decisions.", icon=":material/info:")
        return
    draw_in_columns(page, "x", "y", "decided")
    x, y = str(page.x), str(page.y)
    if x == y:
        st.info("A measure decides as it does itself: choose two.", icon=":material/info:")
        return
    if not tested(page, tests, x, y):
        return
    table = ec.pair_decisions(tests[x], tests[y], page.alpha)
    field = page.field("decided")
    assert isinstance(field, Choice)
    found = table["decision"].value_counts().reindex(list(DECISIONS), fill_value=0)
    for column, name in zip(st.columns(len(DECISIONS)), DECISIONS, strict=True):
        share = f"{found[name] / len(table):.1%} of {counted(len(table), 'pair')}"
        show.metric(column, markdown(field.names(name)), f"{found[name]:,}", help=share)
    ends = {"_x": page.names[x], "_y": page.names[y]}
    heads = {f"{what}{end}": f"{what}, {name}" for what in ("difference", "asl") for end, name in ends.items()}
    listed = table[table["decision"] == page.decided].drop(columns="decision").rename(columns=heads)
    height: Height = 320 if len(listed) > 7 else "auto"
    shown = listed.head(MOST_PAIRS)
    show.put(Table(shown, "decisions", index=False, height=height, download=table, drawn=page.drawn))
    st.caption(
        "“Opposite”: both tell the pair apart, with different winners. A measure that adds pairs the other does not "
        "tell apart discriminates more; one that adds opposite ones measures something else."
    )
