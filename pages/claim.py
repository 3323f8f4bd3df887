"""Which conclusions stand, whichever way we measure? A claim in every reasonable specification."""

from __future__ import annotations

import shlex
from contextlib import suppress
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from evalcore import InputError, figures
from evalcore.arrays import BoolArray
from evalcore.claims import Design, Study, digest, options_behind
from evalcore.figures.endless import score_text
from evalcore.rounding import percent
from ui.address import site
from ui.claim.controls import AMONG, BEATS, EFFECT_WORDS, ORDER, ClaimSettings
from ui.claim.fields import in_link
from ui.claim.judged import judged
from ui.data import open_collection
from ui.data.as_python import as_python, text_lines, where
from ui.screen.items import Figure, Headline, Table
from ui.screen.text import counted, markdown, plain
from ui.stage import show
from ui.widgets.beside import two_columns
from ui.widgets.callback import callback

TOML = "specs.toml"
MOST_WEIGHTED = 12  # options of one choice, by a slider each; of more, the text says the weights
FILE, LONGEST_FILE = "claim specs file", 100_000  # of which bytes are read


def main() -> None:
    collection = open_collection.current()
    site.title("claim")
    if lack := open_collection.lacks_a_ranking(collection, "A claim"):
        st.info(lack, icon=":material/info:")
        return
    page = ClaimSettings.now(collection)
    left, right = two_columns(0.29)
    with left:
        controls(page)
    if page.form == BEATS and page.a == page.b:
        right.info("Choose two different systems.", icon=":material/info:")
        return
    study = None
    with right, show.errors():
        if study := judged(page):
            picture(page, study)
    if study:
        beneath(page, study)


# --- the claim, and what counts ---------------------------------------------------------------------------------------


def controls(page: ClaimSettings) -> None:
    page.draw("form")
    if page.form != ORDER:
        page.draw("a")
    page.draw(*{BEATS: ["b"], AMONG: ["k"], ORDER: ["order"]}.get(page.form, []), "effect")
    help = "Open a row to narrow it or to weight its options: what is left out is not measured"
    st.markdown("**What counts as reasonable**", help=help)
    with suppress(InputError):  # said where the curve would be
        st.caption(laid_out(page.design))
    rows(page)
    with st.expander("As text: keep, share, open", icon=":material/description:", key="claim text"):
        page.draw("specs")
        st.file_uploader("Open a file of specifications", "toml", key=FILE, on_change=open_file, args=(page,))
        st.download_button(
            f"Download {TOML}",
            page.text,
            file_name=TOML,
            mime="application/toml",
            on_click="ignore",
            icon=":material/download:",
            help="What counts, to preregister, to share, to run on the command line",
        )
    st.caption(f"Cited as `{digest(page.specifications)}`, the digest of the specifications.")


def rows(page: ClaimSettings) -> None:
    """Each choice, which opens: what of it counts, and how much."""
    with st.container(gap="xxsmall"):
        for choice in page.rows:
            counts, options = page.counted(choice), len(choice.options)
            opened, said = st.columns([0.72, 0.28], vertical_alignment="center")
            with opened.popover(markdown(choice.name), width="stretch", key=f"row {choice.name}"):
                page.draw_parts("left_out", choice.name)
                if 1 < len(counts) <= MOST_WEIGHTED:
                    st.caption("How much each counts, beside the others:")
                    page.draw_parts("weights", *(in_link(choice, one) for one in counts))
            unlike = len({page.option_weights[in_link(choice, one)] for one in counts}) > 1
            said.caption(f"{len(counts)} of {options}{', weighted' * unlike}")


@callback
def open_file(page: ClaimSettings) -> None:
    """Show the set of a file that was uploaded; the link carries its text."""
    if file := st.session_state[FILE]:
        page.change(specs=file.getvalue()[:LONGEST_FILE].decode("utf-8", "replace"))


def laid_out(design: Design) -> str:
    """How many combinations of options there are; scores tell how many of them differ."""
    count = counted(len(design), "combination")
    if design.sampled:
        return f"{count}, drawn from {design.possible:,} (seed {design.specifications.seed})"
    return f"{count} of options: all that make sense"


# --- the curve --------------------------------------------------------------------------------------------------------


def picture(page: ClaimSettings, study: Study) -> None:
    """The verdict, and the curve that it is of."""
    frame = study.frame()
    show.put(Headline(f"{_verdict(study)}  \n{_joint(study)}"))
    figure = figures.specification_curve(frame, **study.drawn)
    if places := page.places(len(frame)):
        figure.add_vrect(
            x0=places[0] - 0.5, x1=places[1] - 0.5, fillcolor="#8a94a0", opacity=0.25, line_width=1, layer="below"
        )
    alt = f"Effect of the claim in {len(frame):,} specifications, and what each chose; the values are in the tables"
    numbers = frame["specification"]
    take = partial(page.look_at, numbers)
    show.put(Figure(figure, "specification curve", alt, on_select=take, modes=("points", "box")))
    what = EFFECT_WORDS[study.kind]
    rank = f"the rank of {markdown(study.claim.systems[0])}" if study.kind == "rank" else f"the {what}"
    show.explain(
        f"Each column is one way to measure: above {rank} with its 95% limits over topics, beneath what was chosen. "
        "Combinations of options that score every system the same are one column, with the marks of all. "
        "At the right: in which share of an option's columns the claim holds.",
        f"Blue holds, red {study.claim.failing}, grey cannot be decided on these topics. {_rule(study)} Marks of one "
        "colour in one row: with that option all agree. Marks evenly spread: it hardly moves the effect.",
        "Click a column, or drag a box over the failures: what did they choose? Narrow a row at the left: which claim "
        "would survive?",
    )


def _rule(study: Study) -> str:
    """When the claim holds in a column, and when it fails."""
    claim, others = study.claim, len(study.multiverse.systems) - 1
    if claim.top is None and len(claim.pairs) == 1:
        return "It is decided where the limits of the difference leave out 0, also where something else is drawn."
    if claim.top is None:
        return "It holds where every pair holds, and breaks at a pair that is reversed even for one of so many pairs."
    beats = "all others" if claim.top == 1 else f"at least {others - claim.top + 1} of the {others} others"
    beaten = "another system beats" if claim.top == 1 else f"{claim.top} others beat"
    return f"It holds where the system beats {beats}, and fails where {beaten} it, corrected for looking at all."


def _verdict(study: Study) -> str:
    claim = str(study.claim)
    return f"**{markdown(claim)}**{markdown('.' + study.sentence.removeprefix(claim)).removeprefix('.')}"


def _joint(study: Study) -> str:
    joint = study.joint
    of = "" if len(study.claim.pairs) == 1 else f" ({markdown(' > '.join(joint.pair))} decides)"
    alike = "Were the two equally good" if not of else "Were the claim not true"
    return (
        f"Joint test of the whole curve{of}: p = {joint.p:.3g}. {alike}, a median lead of at least "
        f"{score_text(joint.median, sign='+')} would come up with p = {joint.median_p:.3g}, and "
        f"{percent(joint.significant)} of the specifications significant in this direction (t-test, "
        f"α = {joint.alpha:g}) with p = {joint.significant_p:.3g}."
    )


# --- beneath it -------------------------------------------------------------------------------------------------------


def beneath(page: ClaimSettings, study: Study) -> None:
    """What is behind a part of the curve, what the effect depends on, all specifications, and the paper."""
    frame = study.frame()
    behind, sources = st.columns(2, gap="medium")
    with behind:
        page.draw_stretch(len(frame))
        places = page.places(len(frame))
        if places and places[1] - places[0] == 1:
            one_specification(page, study, frame.iloc[places[0]], places[0])
        else:
            options_of(page, study, frame, places)
    with sources:
        st.markdown("**Which choice matters**")
        table = study.choices()[["source", "share", "turns", "holds least", "holds most", "options"]]
        columns = {
            "share": st.column_config.ProgressColumn("of variance", min_value=0.0, max_value=1.0),
            "turns": st.column_config.TextColumn("turns when it") if table["turns"].any() else None,
            "holds least": st.column_config.NumberColumn(format="percent"),
            "holds most": st.column_config.NumberColumn(format="percent"),
        }
        said = study.caption(f"What the effect depends on. {study.sentence}", page.collection.title)
        show.put(Table(table, "what the claim depends on", columns=columns, index=False, height=320, caption=said))
        st.caption(
            "Choices and topics side by side: would more topics settle it, or another measure? *Choices together*: "
            "what only their combinations explain. Holds least, most: the shares of specifications that hold, by "
            "option, from the worst to the best."
        )
    with st.expander(f"All {counted(len(frame), 'specification')}", icon=":material/table_rows:"):
        said = study.caption(f'The effect of the claim "{study.claim}" in every specification', page.collection.title)
        show.put(Table(frame, "specifications", index=False, height=320, caption=said))
    for_the_paper(study)
    for note in dict.fromkeys((*study.multiverse.design.notes, *study.multiverse.problems)):
        st.caption(markdown(note))
    as_python(page.collection, *python_lines(page, study, frame))
    command_line(page)


def one_specification(page: ClaimSettings, study: Study, row: pd.Series, place: int) -> None:
    """What one specification chose, what it found, and the way to it."""
    chosen = [f"{name} {row[name]}" for name in study.options if row[name]]
    decided = study.claim.decided[row["decision"]]
    known = not np.isnan(row[["low", "high"]].to_numpy(dtype=float)).any()
    limits = f"{score_text(row['low'])} to {score_text(row['high'])}" if known else "no limits"
    st.markdown(
        f"Number {place + 1:,} of {len(study.curve):,}: {markdown(', '.join(chosen))}.  \nEffect "
        f"{score_text(row['effect'])} ({limits}): the claim **{decided}**{_broken(study, int(row['specification']))}."
    )
    if (count := int(study.multiverse.counts[int(row["specification"])])) > 1:
        st.caption(f"It stands for {count:,} combinations of options that score the same.")
    design, at = study.multiverse.design, int(row["specification"])
    measure, systems = design.measures[at], list(dict.fromkeys([*study.claim.systems, *study.joint.pair]))[:3]
    site.link("topic", "Open this measure, rank by rank", ":material/search:", measure=str(measure), compared=systems)
    if design.unassessed[at] != "0":
        st.caption(f"There unassessed documents are worth 0, here: {markdown(design.unassessed[at])}.")


def _broken(study: Study, number: int) -> str:
    """At which pairs an order breaks in a specification."""
    if len(study.claim.pairs) < 2:
        return ""
    pairs = [study.claim.pair_text(at) for at in np.flatnonzero(study.curve.broken[number]).tolist()]
    return f" at {markdown(' and '.join(pairs))}" if pairs else ""


def options_of(page: ClaimSettings, study: Study, frame: pd.DataFrame, places: tuple[int, int] | None) -> None:
    """The options behind a stretch; behind the failures, or what is undecided, where none is chosen."""
    which, words = _looked_at(study, frame, places)
    st.markdown(f"**Which options are behind {words}**")
    multiverse = study.multiverse
    table = options_behind(multiverse.combinations, which[multiverse.specification_of])
    columns = {
        "share": st.column_config.ProgressColumn(min_value=0.0, max_value=1.0),
        "share of all": st.column_config.NumberColumn("of all", format="percent"),
    }
    said = study.caption(f'The options behind {plain(words)}, of the claim "{study.claim}"', page.collection.title)
    decimals = {"lift": 2}
    show.put(Table(table, "options behind", index=False, height=320, columns=columns, decimals=decimals, caption=said))
    st.caption("Lift: how much more often than in all specifications. 1: as often.")


def _looked_at(study: Study, frame: pd.DataFrame, places: tuple[int, int] | None) -> tuple[BoolArray, str]:
    decision = study.curve.decision
    if places is None:
        worst = int(decision.min())
        words = {-1: "the failures", 0: "what is undecided", 1: "what holds"}[worst]
        return decision == worst, f"{words} ({int((decision == worst).sum()):,})"
    which = np.zeros(len(study.curve), dtype=bool)
    which[frame["specification"].to_numpy()[slice(*places)]] = True
    return which, f"numbers {places[0] + 1:,} to {places[1]:,}"


def for_the_paper(study: Study) -> None:
    with st.expander("For the paper", icon=":material/article:", key="claim paper"):
        st.code(study.methods(), language=None, wrap_lines=True)
        st.download_button(
            "The choices as LaTeX, with the verdict",
            study.latex(),
            file_name="claim.tex",
            mime="text/x-tex",
            on_click="ignore",
            icon=":material/download:",
            key="claim latex",
        )


# --- again, elsewhere -------------------------------------------------------------------------------------------------


def python_lines(page: ClaimSettings, study: Study, frame: pd.DataFrame) -> list[str]:
    """What recomputes each number."""
    places = page.places(len(frame))
    if places:
        which = [
            f"numbers = table['specification'][{places[0]}:{places[1]}]",
            "which = np.isin(np.arange(len(table)), numbers)",
        ]
    else:
        which = ["which = study.curve.decision == study.curve.decision.min()"]
    return [
        "import numpy as np",
        "from evalcore.claims import options_behind",
        "",
        f"specs = ec.specifications({'c' if page.is_usual else text_lines(page.text)})",
        f"study = ec.claim({str(page.claim)!r}, specs, c, kind={page.effect!r})",
        "print(study.sentence, study.methods(), study.latex())",
        "table, choices, joint, verdict = study.frame(), study.choices(), study.joint, study.verdict",
        *which,
        "all_of, number = study.multiverse.combinations, study.multiverse.specification_of",
        "behind = options_behind(all_of, which[number])",
        "counts = len(table), which.sum()",
        "ec.plot(study)",
    ]


def command_line(page: ClaimSettings) -> None:
    """The command that says the same, where one command can."""
    place = where(page.collection)
    if place is None:
        return
    parts = ["evalcore", "claim", place, str(page.claim)]
    parts += [] if page.is_usual else ["--specs", TOML]
    parts += [] if page.effect == "difference" else ["--effect", page.effect]
    parts += ["--source", page.collection.source] if page.collection.source else []
    parts += ["--average", "retrieved"] if page.collection.rankings.average_over == "retrieved" else []
    with st.expander("On the command line", icon=":material/terminal:", key="claim command"):
        st.code(shlex.join(parts), language="bash")


main()
