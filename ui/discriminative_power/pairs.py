"""Closer looks at the pairs of systems: one, all of them, and the difference that a measure needs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import figures
from evalcore.figures.endless import score_text
from evalcore.meta import PairComparison, PairedBootstrap
from evalcore.meta.discrimination import DECISIONS
from evalcore.progress import Tell
from evalcore.rounding import less
from ui.address import families
from ui.address.families import named
from ui.computing import work
from ui.data import open_collection
from ui.discriminative_power.controls import DRAWN, ONE_PAIR, TUKEY, Power, of_each
from ui.screen.calls import Call, call
from ui.screen.items import At, Calls, Columns, Figure, Height, Item, Metric, Table, Text
from ui.screen.text import counted, markdown
from ui.stage import show
from ui.widgets.fields import Choice

Tests: TypeAlias = Call[dict[str, PairedBootstrap]]

MOST_PAIRS = 2_000  # that a table lists; the download has them all
PS = {"t": 3, "p (t-test)": 4, "ASL": 4, "p (permutation)": 4, "p (Wilcoxon)": 4, "d_z": 3, "g_z": 3}
CORRECTED = {"t-test": "p (t-test)", "bootstrap": "ASL", "Wilcoxon": "p (Wilcoxon)"}  # tests of all pairs


def bootstraps(page: Power) -> Tests:
    """The test of every pair under each measure; fewer measures where the work was stopped."""
    keys = {text: page.kept_as(text, "bootstrap") for text in page.scores}
    jobs = {keys[text]: partial(run_bootstrap, page, text) for text in page.scores}
    results = work.results("power", "Resampling topics", jobs, page.asked(len(page.scores)))
    tests = {text: results[key] for text, key in keys.items() if key in results}
    return page.each("tests", "ec.paired_bootstrap({scores}[text], {drawn})", tests)


def run_bootstrap(page: Power, text: str, progress: Tell) -> PairedBootstrap:
    return ec.paired_bootstrap(page.scores[text], counts=page.draws, progress=progress)


def take(page: Power, clicked: list[str]) -> None:
    """A pair clicked in a figure is looked at below."""
    if clicked:
        a, b = json.loads(clicked[0])
        page.change(a=a, b=b, look=ONE_PAIR)


def tested(page: Power, tests: Tests, *texts: str) -> bool:
    """Whether these measures are tested; says so where the work was stopped before."""
    waiting = [markdown(page.names[text]) for text in texts if text not in tests.value]
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
    text = str(page.measure)
    shared = int(page.scores[text][list(page.pair)].notna().all(axis=1).sum())
    if shared < 2:
        st.info(f"A test takes two topics that both systems have; these have {shared}.", icon=":material/info:")
        return
    pairs = comparisons(page, list(tests.value), page.pair)
    if tested(page, tests, text) and text in pairs.value:
        show.screen(of_pair(page, tests, pairs))


def of_pair(page: Power, tests: Tests, pairs: Call[dict[str, PairComparison]]) -> Iterator[Item]:
    """Which of two systems is better on which topics, and what each measure says of them."""
    assert page.pair is not None
    (a, b), text = page.pair, str(page.measure)
    pair = call("pair", "{pairs}[{text}]", pairs=pairs, text=text)
    shown = pair.value
    better = tuple(call(name, f"({{pair}}.differences {sign} 0).sum()", pair=pair) for name, sign in SIGNS.items())
    ahead, behind = (one.value for one in better)
    words = (
        f"Under {markdown(text)}, {named(a)} is better on {counted(ahead, 'topic')}, {named(b)} on {behind}. "
        f"Mean difference {score_text(shown.mean, sign='+')}, {interval_text(shown)}."
    )
    yield Text(words, "note", calls=better)
    here = {"styles": open_collection.styles(page.collection)}
    figure = families.plotted("", "{pair}, names={names}", page.collection, here, pair=pair, names=page.pair)
    alt = f"Difference of {a} and {b} on each topic under {text}, sorted by size"
    yield Figure(figure.compute, "pair", alt, drawn=page.drawn, calls=(figure,))
    corrected = corrected_ps(page, tests, list(pairs.value))
    table = pair_table(page, tests, pairs.value, corrected)
    decimals = {name: PS.get(name.split(",")[0], 4) for name in table.columns}
    calls: Calls = (pairs, corrected) if corrected else (pairs,)
    yield Table(table, "pair", decimals=decimals, drawn=page.drawn, calls=calls)
    exact = "all sign flips" if shown.exact else f"{page.resamples:,} random sign flips"
    count = f"{len(tests.value[text].pairs):,}"
    over = f"The last three columns are corrected by {page.correction} over all pairs of a measure, {count}."
    yield Text(
        f"p (permutation): {exact}. p (Wilcoxon): by the ranks of the differences. d_z: mean / "
        "standard deviation of the differences; g_z: the same without its bias "
        f"in small samples. {over if page.correction != 'none' else 'Nothing is corrected for the other pairs.'}",
        "note",
    )


SIGNS = {"ahead": ">", "behind": "<"}


def interval_text(shown: PairComparison) -> str:
    if np.isnan(shown.asl):
        return "and no test: a score is infinite"
    return f"95% interval {shown.low:+.4f} to {shown.high:+.4f} (dashed line and band)"


def comparisons(page: Power, texts: list[str], pair: tuple[str, str]) -> Call[dict[str, PairComparison]]:
    """The tests of one pair under each measure."""
    keys = {text: page.kept_as(text, "pair", *pair) for text in texts}
    jobs = {keys[text]: partial(run_comparison, page, text, *pair) for text in texts}
    results = work.results("pair", "Testing the pair", jobs, page.asked(0))
    done = {text: results[key] for text, key in keys.items() if key in results}
    a, b = pair
    return page.each("pairs", "ec.compare_systems({scores}[text], {a}, {b}, {drawn})", done, a=a, b=b)


def run_comparison(page: Power, text: str, a: str, b: str, progress: Tell) -> PairComparison:
    return ec.compare_systems(page.scores[text], a, b, page.resamples, page.seed, counts=page.draws, progress=progress)


def corrected_ps(page: Power, tests: Tests, texts: list[str]) -> Call[dict[str, dict[str, pd.DataFrame]]] | None:
    """All pairs by each test, corrected, under some measures; None where nothing is to be corrected."""
    if page.correction == "none":
        return None
    pairs = "{{way: ec.meta.corrected_pairs({tests}[text], way, {correction}) for way in {ways}}}"
    text = "{{text: " + pairs + " for text in {texts}}}"
    parts = {"tests": tests, "correction": page.correction, "ways": list(CORRECTED), "texts": texts}
    return call("corrected", text, **parts)


def pair_table(
    page: Power,
    tests: Tests,
    pairs: Mapping[str, PairComparison],
    corrected: Call[dict[str, dict[str, pd.DataFrame]]] | None,
) -> pd.DataFrame:
    """What each measure says of one pair."""
    rows, pair = {}, page.pair or ()
    for text, one in pairs.items():
        listed = tests.value[text].pairs
        at = int(np.flatnonzero(listed["system_a"].isin(pair) & listed["system_b"].isin(pair))[0])
        more = [corrected.value[text][way]["p"].iloc[at] for way in CORRECTED] if corrected else []
        rows[page.names[text]] = (
            one.mean, one.low, one.high, one.t, one.p_t, one.asl, one.p_permutation, one.p_wilcoxon,
            one.d_z, one.g_z, *more,
        )  # fmt: skip
    columns = ["difference", "low", "high", *PS]
    columns += [f"{name}, corrected" for name in CORRECTED.values()] if corrected else []
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("measure")


def all_pairs(page: Power, tests: Tests) -> None:
    left, right = st.columns([0.3, 0.7], gap="medium")
    with left:
        page.draw("measure", "test", *(["correction"] if page.test != TUKEY else []))
        pairs = decided_pairs(page, tests)
    if pairs is not None:
        show.screen(of_all_pairs(page, tests, pairs), {"left": left, "right": right})


def of_all_pairs(page: Power, tests: Tests, pairs: Call[pd.DataFrame]) -> Iterator[Item]:
    """How many pairs differ significantly, which, and how sure each is."""
    text, table, drawn = str(page.measure), pairs.value, page.drawn
    yield At("left", tuple(numbers_of_pairs(page, pairs)))
    order = call("order", "ec.best_first({scores}.mean()).index.tolist()", scores=page.of(text))
    here = {"styles": open_collection.styles(page.collection)}
    parts = {"order": order, "pairs": pairs, "alpha": page.alpha}
    figure = families.figure(figures.pair_matrix, "{order}, {pairs}, {alpha}", page.collection, here, **parts)
    alt = f"Systems against systems, best first, under {text}: which pairs are told apart; the list is below"
    matrix = Figure(figure.compute, "matrix", alt, partial(take, page), ("points",), drawn, calls=(figure,))
    yield At("right", (matrix,))
    listed = table.assign(significant=less(table["p"], page.alpha)).sort_values("p", kind="stable")
    options: dict[str, Any] = {"height": 320, "download": listed, "drawn": drawn, "calls": (pairs,)}
    yield Table(listed.head(MOST_PAIRS), "pairs", index=False, **options)
    yield Text(
        "difference: mean of system_a less mean of system_b; where low scores are good, the other way round: above 0 "
        f"system_a is better.{untested(tests.value[text]) if text in tests.value else ''} Click a cell to look at its "
        "pair.",
        "note",
    )


def decided_pairs(page: Power, tests: Tests) -> Call[pd.DataFrame] | None:
    """All pairs with their p by the chosen test; None where there is none yet, which is said."""
    text = str(page.measure)
    if page.test != TUKEY:
        if not tested(page, tests, text):
            return None
        parts = {"tests": tests, "text": text, "test": page.test, "correction": page.correction}
        return call("pairs", "ec.meta.corrected_pairs({tests}[{text}], {test}, {correction})", **parts)
    if not len(page.scores[text].dropna()):
        st.info("This test takes topics that all systems have; there is none.", icon=":material/info:")
        return None
    key = page.kept_as(text, TUKEY)
    pairs = work.results("tukey", "Shuffling scores", {key: partial(run_tukey, page, text)}, page.asked(1)).get(key)
    parts = {"scores": page.of(text), "n": page.resamples, "seed": page.seed}
    return None if pairs is None else call("pairs", f"ec.tukey_p({{scores}}, {DRAWN})", **parts).holding(pairs)


def run_tukey(page: Power, text: str, progress: Tell) -> pd.DataFrame:
    return ec.tukey_p(page.scores[text], page.resamples, page.seed, progress)


def numbers_of_pairs(page: Power, pairs: Call[pd.DataFrame]) -> Iterator[Item]:
    """How many pairs differ significantly, and whether the resamples are too few to say."""
    apart = call("significant", "{less}({pairs}['p'], {alpha})", less=less, pairs=pairs, alpha=page.alpha)
    share, count = call("share", "{apart}.mean()", apart=apart), len(pairs.value)
    help = f"{int(apart.value.sum()):,} of {counted(count, 'pair')}"
    yield Metric("significant pairs", f"{share.value:.1%}", help=help, calls=(share,))
    smallest = 1 / page.resamples
    if page.test == "bootstrap" and page.correction != "none" and smallest * count > page.alpha:
        yield Text(
            f"The smallest ASL above 0 is {smallest:g}; corrected for {counted(count, 'pair')} it may exceed α. "
            "More resamples make it finer.",
            "note",
        )


def untested(tests: PairedBootstrap) -> str:
    """How many pairs cannot be tested, and why; empty where all can."""
    if not tests.untested:
        return ""
    count = f"{tests.untested:,} of {counted(len(tests.pairs), 'pair')} {'has' if tests.untested == 1 else 'have'}"
    return f" {count} an infinite score: what cannot be tested is not told apart."


def needed(page: Power, tests: Tests) -> None:
    differences = needed_differences(page, tests)
    if differences.value:
        show.screen(of_needed(page, tests, differences))


def needed_differences(page: Power, tests: Tests) -> Call[dict[str, float]]:
    """The largest difference that a pair needs to be told apart, under each measure."""
    keys = {text: page.kept_as(text, "needed", page.alpha) for text in tests.value}
    jobs = {keys[text]: partial(run_needed, page, text) for text in tests.value}
    results = work.results("needed", "Looking for the difference that is needed", jobs, page.asked(len(jobs)))
    done = {text: results[key] for text, key in keys.items() if key in results}
    text = "ec.needed_differences({scores}[text], {alpha}, {drawn})['needed'].max()"
    return page.each("needed", text, done, alpha=page.alpha)


def run_needed(page: Power, text: str, progress: Tell) -> float:
    frame = page.scores[text]
    table = ec.needed_differences(frame, page.alpha, page.resamples, counts=page.draws, progress=progress)
    return float(table["needed"].max())


def of_needed(page: Power, tests: Tests, differences: Call[dict[str, float]]) -> Iterator[Item]:
    """What each measure needs, beside the pairs that it tells apart and those that it does not."""
    yield Text(
        "Each dot is a pair of systems, blue where it is told apart. The red mark is Sakai's estimate: for every pair, "
        "the difference in the resample whose |t*| is the B·α-th largest; of all pairs the largest. As a rule, a pair "
        "that differs by more is told apart. Units are the measure's own: compare a measure with its own dots only.",
        "note",
    )
    names = {page.names[text]: text for text in differences.value}
    parts = {"tests": tests, "needed": differences, "names": names, "alpha": page.alpha}
    text = (
        "{needed_strips}({{name: {tests}[text].pairs for name, text in {names}.items()}}, "
        "{{name: {needed}[text] for name, text in {names}.items()}}, {alpha})"
    )
    figure = call("", text, needed_strips=figures.needed_strips, **parts)
    alt = "Differences of all pairs by measure, told apart or not; the table has the numbers"
    yield Figure(figure.compute, "needed", alt, drawn=page.drawn, calls=(figure,))
    columns = needed_columns(page, tests, differences)
    table = pd.DataFrame({name: one.value for name, one in columns.items()}).rename(page.names).rename_axis("measure")
    calls = tuple(columns.values())
    yield Table(table, "needed differences", {"power": 3}, drawn=page.drawn, calls=calls)


def needed_columns(page: Power, tests: Tests, differences: Call[dict[str, float]]) -> dict[str, Call[dict[str, float]]]:
    """The columns of the table: power, and the differences around the one that is needed."""
    alpha = page.alpha
    known = of_each("known", "{tests}[text].pairs.dropna(subset='asl')", differences, tests=tests)
    apart = of_each("apart", "{less}(one['asl'], {alpha})", known, less=less, alpha=alpha)
    sizes = of_each("sizes", "one['difference'].abs()", known)
    return {
        "power": of_each("power", "{tests}[text].power({alpha})", differences, tests=tests, alpha=alpha),
        "needed": differences,
        "smallest significant": of_each("smallest", "one[{apart}[text]].min()", sizes, apart=apart),
        "largest not significant": of_each("largest", "one[~{apart}[text]].max()", sizes, apart=apart),
        "pairs that differ by more": of_each("beyond", "({sizes}[text] > one).sum()", differences, sizes=sizes),
    }


def two_measures(page: Power, tests: Tests) -> None:
    if len(page.scores) < 2:
        st.info("Choose a second measure to compare decisions.", icon=":material/info:")
        return
    draw_in_columns(page, "x", "y", "decided")
    x, y = str(page.x), str(page.y)
    if x == y:
        st.info("A measure decides as it does itself: choose two.", icon=":material/info:")
    elif tested(page, tests, x, y):
        show.screen(decisions(page, tests, x, y))


def decisions(page: Power, tests: Tests, x: str, y: str) -> Iterator[Item]:
    """How two measures decide about all pairs."""
    parts = {"tests": tests, "x": x, "y": y, "alpha": page.alpha}
    table = call("decisions", "ec.pair_decisions({tests}[{x}], {tests}[{y}], {alpha})", **parts)
    counts = call("counts", "{table}['decision'].value_counts()", table=table)
    text = "{table}[{table}['decision'] == {decided}].drop(columns='decision')"
    listed = call("listed", text, table=table, decided=page.decided)
    field, pairs = page.field("decided"), counted(len(table.value), "pair")
    assert isinstance(field, Choice)
    metrics = []
    for name in DECISIONS:
        count = counts.value.get(name, 0)
        help = f"{count / len(table.value):.1%} of {pairs}"
        metrics.append(Metric(markdown(field.names(name)), f"{count:,}", help=help, calls=(counts,)))
    yield Columns(tuple((one,) for one in metrics))
    ends = {"_x": page.names[x], "_y": page.names[y]}
    heads = {f"{what}{end}": f"{what}, {name}" for what in ("difference", "asl") for end, name in ends.items()}
    whole = listed.value.rename(columns=heads)
    height: Height = 320 if len(whole) > 7 else "auto"
    options: dict[str, Any] = {"height": height, "download": whole, "drawn": page.drawn, "calls": (listed,)}
    yield Table(whole.head(MOST_PAIRS), "decisions", index=False, **options)
    yield Text(
        "“Opposite”: both tell the pair apart, with different winners. A measure that adds pairs the other does not "
        "tell apart discriminates more; one that adds opposite ones measures something else.",
        "note",
    )
