"""Closer looks at the pairs of systems that measures tell apart or not."""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.errors import StreamlitAPIException

import evalcore as ec
from evalcore import figures
from evalcore.data import Collection
from evalcore.figures.endless import score_text
from evalcore.meta import (
    CORRECTIONS,
    PairComparison,
    PairedBootstrap,
    best_first,
    corrected_pairs,
)
from evalcore.meta.differences import Draws
from evalcore.meta.discrimination import DECISIONS
from evalcore.meta.significance import TESTS
from evalcore.rounding import less
from ui import show, work
from ui.controls import choose
from ui.text import markdown

VIEW, ONE_PAIR = "power_view", "One pair"
PAIR = ("pair_a", "pair_b")  # the systems of the pair, in the link
TUKEY = "randomised Tukey HSD"
MOST_PAIRS = 2_000  # that a table lists; the download has them all
PS = {"t": 3, "p (t-test)": 4, "ASL": 4, "p (permutation)": 4, "d_z": 3, "g_z": 3}
TEST_HELP = (
    "bootstrap: Sakai's ASL. t-test: the paired t-test. Randomised Tukey HSD shuffles the scores of all systems within "
    "each topic: it looks at all pairs at once and needs no further correction."
)
CORRECTION_HELP = (
    "With many pairs some look different by chance. Bonferroni and Holm: the chance of any false one is at most α. "
    "Benjamini-Hochberg: on average at most a share α of those called different is false."
)


@dataclass(frozen=True)
class Setting:
    """What is tested, and how."""

    scores: Mapping[str, pd.DataFrame]  # by the measure's text
    names: Mapping[str, str]  # short ones
    alpha: float
    resamples: int
    seed: int

    @property
    def systems(self) -> list[str]:
        return [str(name) for name in next(iter(self.scores.values())).columns]

    @property
    def draws(self) -> Draws:
        return draws(len(next(iter(self.scores.values()))), self.resamples, self.seed)

    @property
    def drawn(self) -> dict[str, int]:
        return {"resamples": self.resamples, "seed": self.seed}

    def key(self, text: str, *more: Hashable) -> Hashable:
        """What the result for a measure depends on."""
        return (work.digest(self.scores[text]), self.resamples, self.seed, *more)


def bootstraps(setting: Setting) -> dict[str, PairedBootstrap]:
    """The test of every pair under each measure; fewer measures where the work was stopped."""
    keys = {text: setting.key(text, "bootstrap") for text in setting.scores}
    jobs = {keys[text]: partial(run_bootstrap, setting, text) for text in setting.scores}
    found = work.results("power", "Resampling topics", jobs)
    return {text: found[key] for text, key in keys.items() if key in found}


def run_bootstrap(setting: Setting, text: str, progress: work.Tell) -> PairedBootstrap:
    return ec.paired_bootstrap(setting.scores[text], counts=setting.draws, progress=progress)


@st.cache_resource(max_entries=2, show_spinner=False)
def draws(n_topics: int, resamples: int, seed: int) -> Draws:
    return Draws.of(n_topics, resamples, seed)


def on_screen(setting: Setting) -> tuple[str, str] | None:
    """The pair that is looked at below the figure, if one is."""
    if _now(VIEW) not in (None, ONE_PAIR):
        return None
    pairs = zip(map(_now, PAIR), best_two(setting), strict=True)
    a, b = (name if name in setting.systems else usual for name, usual in pairs)
    return (a, b) if a != b else None


def _now(key: str) -> str | None:
    """What a control says that is drawn further down: of a link just opened, what the link says."""
    return st.session_state.get(key) or st.query_params.get(key)


def best_two(setting: Setting) -> tuple[str, str]:
    """The two best systems under the first measure."""
    best = best_first(next(iter(setting.scores.values())).mean()).index
    return str(best[0]), str(best[1])


def take(clicked: list[str]) -> None:
    """A pair clicked in a figure is looked at below."""
    if not clicked:
        return
    for key, system in zip(PAIR, json.loads(clicked[0]), strict=True):
        st.session_state[key] = system
        with suppress(StreamlitAPIException):  # the control is on the screen, and sees to its link
            st.query_params[key] = system  # one that is not on the screen yet would leave it out
    st.session_state[VIEW] = ONE_PAIR


def choose_text(label: str, key: str, setting: Setting, tests: Mapping[str, PairedBootstrap], at: int = 0) -> str:
    """One of the measures that were tested, by its short name."""
    texts = list(tests)
    return choose(label, key, texts, texts[min(at, len(texts) - 1)], names=setting.names.__getitem__)


def one_pair(collection: Collection, setting: Setting, tests: Mapping[str, PairedBootstrap]) -> None:
    usual, systems = best_two(setting), setting.systems
    first, second, which, how = st.columns(4)
    with first:
        a = choose("System", PAIR[0], systems, usual[0])
    with second:
        b = choose("against", PAIR[1], systems, usual[1])
    with which:
        text = choose_text("Drawn under", "pair_measure", setting, tests)
    with how:
        correction = choose("Correction", "pair_correction", list(CORRECTIONS), help=CORRECTION_HELP)
    if a == b:
        st.info("A system does not differ from itself: choose two.", icon=":material/info:")
        return
    shared = int(setting.scores[text][[a, b]].notna().all(axis=1).sum())
    if shared < 2:
        st.info(f"A test takes two topics that both systems have; these have {shared}.", icon=":material/info:")
        return
    pairs = comparisons(setting, list(tests), a, b)
    shown = pairs[text]
    st.caption(
        f"Under {markdown(text)}, {markdown(a)} is better on {(shown.differences > 0).sum()} topics, {markdown(b)} on "
        f"{(shown.differences < 0).sum()}. Mean difference {score_text(shown.mean, sign='+')}, {_interval(shown)}."
    )
    figure = figures.topic_differences(shown.differences, (shown.low, shown.high), (a, b))
    alt = f"Difference of {a} and {b} on each topic under {text}, sorted by size"
    show.figure(figure, "pair", alt, drawn=setting.drawn)
    table = pair_table(setting, tests, pairs, (a, b), correction)
    decimals = {name: PS.get(name.split(",")[0], 4) for name in table.columns}
    show.table(table, "pair", decimals=decimals, drawn=setting.drawn)
    exact = "all sign flips" if shown.exact else f"{setting.resamples:,} random sign flips"
    over = f"The last two columns are corrected by {correction} over all {len(tests[text].pairs):,} pairs of a measure."
    st.caption(
        f"p (permutation): {exact}. d_z: mean / standard deviation of the differences; g_z: the same without its bias "
        f"in small samples. {over if correction != 'none' else 'Nothing is corrected for the other pairs.'}"
    )


def _interval(shown: PairComparison) -> str:
    if np.isnan(shown.asl):
        return "and no test: a score is infinite"
    return f"95 % interval {shown.low:+.4f} to {shown.high:+.4f} (dashed line and band)"


def comparisons(setting: Setting, texts: list[str], a: str, b: str) -> dict[str, PairComparison]:
    keys = {text: setting.key(text, "pair", a, b) for text in texts}
    jobs = {keys[text]: partial(run_comparison, setting, text, a, b) for text in texts}
    found = work.results("pair", "Testing the pair", jobs)
    return {text: found[keys[text]] for text in texts if keys[text] in found}


def run_comparison(setting: Setting, text: str, a: str, b: str, progress: work.Tell) -> PairComparison:
    frame = setting.scores[text]
    return ec.compare_systems(frame, a, b, setting.resamples, setting.seed, counts=setting.draws)


def pair_table(
    setting: Setting,
    tests: Mapping[str, PairedBootstrap],
    found: Mapping[str, PairComparison],
    pair: tuple[str, str],
    correction: str,
) -> pd.DataFrame:
    """What each measure says of one pair."""
    rows = {}
    for text, one in found.items():
        listed = tests[text].pairs
        at = int(np.flatnonzero(listed["system_a"].isin(pair) & listed["system_b"].isin(pair))[0])
        ways = ("t-test", "bootstrap") if correction != "none" else ()
        both = [corrected_pairs(tests[text], way, correction)["p"].iloc[at] for way in ways]
        rows[setting.names[text]] = (
            one.mean, one.low, one.high, one.t, one.p_t, one.asl, one.p_permutation, one.d_z, one.g_z, *both,
        )  # fmt: skip
    columns = ["difference", "low", "high", *PS]
    columns += ["p (t-test), corrected", "ASL, corrected"] if correction != "none" else []
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("measure")


def all_pairs(collection: Collection, setting: Setting, tests: Mapping[str, PairedBootstrap]) -> None:
    controls, picture = st.columns([0.3, 0.7], gap="medium")
    with controls:
        text = choose_text("Measure", "matrix_measure", setting, tests)
        test = choose("Test", "pair_test", [*TESTS, TUKEY], help=TEST_HELP)
        correction = "none"
        if test != TUKEY:
            correction = choose("Correction", "pair_correction", list(CORRECTIONS), help=CORRECTION_HELP)
        if test == TUKEY and not len(setting.scores[text].dropna()):
            st.info("This test takes topics that all systems have; there is none.", icon=":material/info:")
            return
        pairs = tukey(setting, text) if test == TUKEY else corrected_pairs(tests[text], test, correction)
        if pairs is None:
            return
        apart = int(less(pairs["p"], setting.alpha).sum())
        st.metric("told apart", f"{apart / len(pairs):.1%}", help=f"{apart:,} of {len(pairs):,} pairs")
        smallest = 1 / setting.resamples
        if test == "bootstrap" and correction != "none" and smallest * len(pairs) > setting.alpha:
            st.caption(
                f"The smallest ASL above 0 is {smallest:g}; corrected for {len(pairs):,} pairs it may exceed α. More "
                "resamples make it finer."
            )
    order = best_first(setting.scores[text].mean()).index
    with picture:
        figure = figures.pair_matrix([str(name) for name in order], pairs, setting.alpha)
        alt = f"Systems against systems, best first, under {text}: which pairs are told apart; the list is below"
        show.figure(figure, "matrix", alt, on_select=take, modes=("points",), drawn=setting.drawn)
    listed = pairs.assign(told_apart=less(pairs["p"], setting.alpha)).sort_values("p", kind="stable")
    show.table(listed.head(MOST_PAIRS), "pairs", index=False, height=320, download=listed, drawn=setting.drawn)
    st.caption(
        "difference: mean of system_a less mean of system_b; where low scores are good, the other way round: above 0 "
        f"system_a is better.{untested(tests[text])} Click a cell to look at its pair."
    )


def untested(tests: PairedBootstrap) -> str:
    """How many pairs cannot be tested, and why; empty where all can."""
    if not tests.untested:
        return ""
    count = f"{tests.untested:,} of {len(tests.pairs):,}"
    return f" {count} pairs have an infinite score: they cannot be tested, and are not told apart."


def tukey(setting: Setting, text: str) -> pd.DataFrame | None:
    key = setting.key(text, TUKEY)
    found = work.results("tukey", "Shuffling scores", {key: partial(run_tukey, setting, text)})
    return found.get(key)


def run_tukey(setting: Setting, text: str, progress: work.Tell) -> pd.DataFrame:
    return ec.tukey_p(setting.scores[text], setting.resamples, setting.seed, progress)


def needed(collection: Collection, setting: Setting, tests: Mapping[str, PairedBootstrap]) -> None:
    keys = {text: setting.key(text, "needed", setting.alpha) for text in tests}
    jobs = {keys[text]: partial(run_needed, setting, text) for text in tests}
    found = work.results("needed", "Looking for the difference that is needed", jobs)
    largest = {text: found[key] for text, key in keys.items() if key in found}
    if not largest:
        return
    st.caption(
        "Each dot is a pair of systems, blue where it is told apart. The red mark is Sakai's estimate: for every pair, "
        "the difference in the resample whose |t*| is the B·α-th largest; of all pairs the largest. As a rule, a pair "
        "that differs by more is told apart. Units are the measure's own: compare a measure with its own dots only."
    )
    pairs = {setting.names[text]: tests[text].pairs for text in largest}
    marks = {setting.names[text]: value for text, value in largest.items()}
    figure = figures.needed_strips(pairs, marks, setting.alpha)
    alt = "Differences of all pairs by measure, told apart or not; the table has the numbers"
    show.figure(figure, "needed", alt, drawn=setting.drawn)
    table = needed_table(setting, tests, largest)
    show.table(table, "needed differences", decimals={"power": 3}, drawn=setting.drawn)


def run_needed(setting: Setting, text: str, progress: work.Tell) -> float:
    frame = setting.scores[text]
    table = ec.needed_differences(frame, setting.alpha, setting.resamples, counts=setting.draws, progress=progress)
    return float(table["needed"].max())


def needed_table(setting: Setting, tests: Mapping[str, PairedBootstrap], largest: Mapping[str, float]) -> pd.DataFrame:
    rows = {}
    for text, value in largest.items():
        pairs = tests[text].pairs
        pairs = pairs[pairs["asl"].notna()]
        size, apart = pairs["difference"].abs(), pairs["asl"] < setting.alpha
        rows[setting.names[text]] = (
            tests[text].power(setting.alpha), value, size[apart].min(), size[~apart].max(), int((size > value).sum()),
        )  # fmt: skip
    columns = ["power", "needed", "smallest told apart", "largest not told apart", "pairs that differ by more"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("measure")


def two_measures(collection: Collection, setting: Setting, tests: Mapping[str, PairedBootstrap]) -> None:
    if len(tests) < 2:
        st.info("Choose a second measure to compare decisions.", icon=":material/info:")
        return
    left, right, which = st.columns(3)
    with left:
        x = choose_text("One measure", "pair_x", setting, tests)
    with right:
        y = choose_text("Another", "pair_y", setting, tests, 1)
    table = ec.pair_decisions(tests[x], tests[y], setting.alpha)
    named = {
        **{name: name for name in DECISIONS},
        "x only": f"only {setting.names[x]}",
        "y only": f"only {setting.names[y]}",
    }
    found = table["decision"].value_counts().reindex(list(DECISIONS), fill_value=0)
    with which:
        kind = choose("List the pairs told apart by", "pair_decided", DECISIONS, "x only", names=named.__getitem__)
    for column, name in zip(st.columns(len(DECISIONS)), DECISIONS, strict=True):
        share = f"{found[name] / len(table):.1%} of {len(table):,} pairs"
        column.metric(markdown(named[name]), f"{found[name]:,}", help=share)
    ends = {"_x": setting.names[x], "_y": setting.names[y]}
    heads = {f"{what}{end}": f"{what}, {name}" for what in ("difference", "asl") for end, name in ends.items()}
    listed = table[table["decision"] == kind].drop(columns="decision").rename(columns=heads)
    height: show.Height = 320 if len(listed) > 7 else "auto"
    shown = listed.head(MOST_PAIRS)
    show.table(shown, "decisions", index=False, height=height, download=table, drawn=setting.drawn)
    st.caption(
        "“Opposite”: both are sure, and of different winners. A measure that adds pairs the other does not tell apart "
        "is more sensitive; one that adds opposite ones measures something else."
    )
