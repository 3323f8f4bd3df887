"""How many pairs of systems can this measure tell apart? Sakai's discriminative power, pair by pair."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from evalcore import figures
from evalcore.data import Collection
from evalcore.measures import short_names
from evalcore.meta import PairedBootstrap
from ui import collections, pairs, score_tables, show
from ui.code import as_python
from ui.compared import compared
from ui.controls import choose, slider
from ui.pairs import ONE_PAIR, VIEW, Setting
from ui.text import markdown
from ui.top_systems import top_systems

RESAMPLES = (1_000, 10_000, 100_000)


def main() -> None:
    collection = collections.current()
    st.title("How many pairs of systems can this measure tell apart?", anchor=False)
    if min(len(collection.systems), len(collection.topics)) < 2:
        counts = f"{len(collection.systems)} system(s) and {len(collection.topics)} topic(s)"
        st.info(f"Pairs take two systems, tests two topics; the open collection has {counts}.", icon=":material/info:")
        return
    left, right = st.columns([0.3, 0.7], gap="medium")
    with left:
        setting = controls(collection)
    if not setting.scores:
        right.info("Choose measures that have at least two systems and two topics in common.", icon=":material/info:")
        return
    with right:
        tests = pairs.bootstraps(setting)
        if not tests:
            return
        draw_curves(setting, tests, pairs.on_screen(setting))
    with left:
        power_table(setting, tests)
    show.explain(*EXPLANATION)
    formulas(setting)
    details(collection, setting, tests)
    as_python(
        collection,
        f"scores = ec.evaluate({[text for text in setting.scores if not text.endswith(score_tables.MARK)]!r}, c)",
        f"drawn = {{'n_resamples': {setting.resamples}, 'seed': {setting.seed}}}",
        f"power = ec.discriminative_power(scores, alpha={setting.alpha!r}, **drawn)",
    )


def controls(collection: Collection) -> Setting:
    frames = compared(collection)
    alpha = slider(
        "α",
        "alpha",
        0.001,
        0.2,
        0.01,
        0.001,
        format="%.3f",
        help="A pair is told apart when its ASL is below α: how often equally good systems may be called different. "
        "Maistro et al. use 0.01, Sakai 0.05.",
    )
    with st.expander("More settings"):
        resamples = choose(
            "Resamples of topics",
            "power_resamples",
            RESAMPLES,
            10_000,
            names=lambda count: f"{count:,}",
            help="Drawn once and shared by all pairs and measures. The smallest ASL above 0 is one in so many.",
        )
        seed = int(
            slider("Seed", "power_seed", 0.0, 100.0, 0.0, 1.0, format="%d", help="Another seed, other resamples")
        )
    return Setting(frames, short_names(frames), alpha, resamples, seed)


def draw_curves(setting: Setting, tests: Mapping[str, PairedBootstrap], pair: tuple[str, str] | None) -> None:
    powers = {text: one.power(setting.alpha) for text, one in tests.items()}
    best, worst = max(powers, key=powers.__getitem__), min(powers, key=powers.__getitem__)
    count = len(tests[best].pairs)
    line = f"**{markdown(setting.names[best])}** tells apart **{powers[best]:.1%}** of {count:,} pairs"
    if powers[worst] < powers[best]:
        line += f", **{markdown(setting.names[worst])}** {powers[worst]:.1%}"
    st.markdown(f"{line} at α = {setting.alpha:g}.")
    for text, one in tests.items():
        if said := pairs.untested(one):
            st.caption(f"{markdown(setting.names[text])}:{said}")
    curves = {setting.names[text]: one.curve() for text, one in tests.items()}
    figure = figures.asl_curves(curves, setting.alpha, setting.resamples, pair)
    alt = f"ASL curves of {len(curves)} measures over {count} pairs of systems; power is in the table beside them"
    show.figure(figure, "asl", alt, on_select=pairs.take, modes=("points",), drawn=setting.drawn)


def power_table(setting: Setting, tests: Mapping[str, PairedBootstrap]) -> None:
    rows = [
        (setting.names[text], one.power(setting.alpha), len(one.told_apart(setting.alpha)), len(one.pairs), text)
        for text, one in tests.items()
    ]
    full = pd.DataFrame(rows, columns=["measure", "power", "told apart", "pairs", "text"])
    table = full[["measure", "power"]].sort_values("power", ascending=False, kind="stable")
    table["power"] *= 100
    help = f"Discriminative power: the share of {full['pairs'][0]:,} pairs told apart"
    columns = {"power": st.column_config.NumberColumn("told apart", format="%.1f %%", help=help)}
    height = 38 + 35 * min(len(table), 9)
    drawn = setting.drawn | {"alpha": setting.alpha}
    show.table(table, "discriminative power", columns=columns, index=False, height=height, download=full, drawn=drawn)


EXPLANATION = (
    "Every line is a measure. All pairs of systems are put in order, the least certain first; up is the ASL: how often "
    "chance alone gives a difference as clear as the one observed. A pair below α is told apart.",
    "The further left a line dives under α, the more pairs the measure tells apart: that is its discriminative power. "
    "It says how sure a measure is, not whether it is right: a measure may be very sure of the wrong thing.",
    "Move α, add measures, or click a line to look at a pair. Then see under *All pairs* how much is left when the "
    "number of tests is accounted for.",
)


LACKING = " A pair is tested on the topics that both systems have, by resamples of as many."


def formulas(setting: Setting) -> None:
    with st.expander("The formula, with today's numbers in it"):
        topics = len(next(iter(setting.scores.values())))
        st.latex(
            rf"t = \frac{{\bar d}}{{s_d / \sqrt{{{topics}}}}}, \qquad w_k = d_k - \bar d, \qquad "
            rf"\mathrm{{ASL}} = \frac{{|\{{b : |t^*_b| \ge |t|\}}|}}{{{setting.resamples}}} < {setting.alpha:g}"
        )
        st.caption(
            "d: the difference of two systems on each topic. Each of the resamples b draws as many topics, with "
            "replacement, from w, whose mean is 0; t* is its t. The same resamples serve all pairs and measures, so "
            "measures with equal scores have equal power. Where s is 0, t is 0 or infinite (Sakai 2006)."
            + (LACKING if any(frame.isna().any(axis=None) for frame in setting.scores.values()) else "")
        )


VIEWS = {
    ONE_PAIR: pairs.one_pair,
    "All pairs": pairs.all_pairs,
    "Needed difference": pairs.needed,
    "Two measures": pairs.two_measures,
    "What the top systems return": top_systems,
}


def details(collection: Collection, setting: Setting, tests: Mapping[str, PairedBootstrap]) -> None:
    """One of five closer looks; only the open one is computed."""
    view = choose("Look closer", VIEW, list(VIEWS), segmented=True)
    with show.errors():
        VIEWS[view](collection, setting, tests)


main()
