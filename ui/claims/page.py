"""The page Claim: where a claim holds among all reasonable ways to measure, and the sentence for the paper."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from evalcore import InputError, figures
from evalcore.claims import Claim, Design, Study, digest, options_behind
from evalcore.claims.study import DECISIONS
from evalcore.common.arrays import BoolArray
from ui.address import site
from ui.address.families import plotted_plain, short
from ui.claims.claim_settings import AMONG, BEATS, EFFECT_WORDS, ORDER, ClaimSettings
from ui.claims.scored import judged
from ui.data import open_collection
from ui.screen.calls import Call, call, line, record
from ui.screen.items import Figure, Headline, Item, Sentence, Table, Text
from ui.screen.text import counted, markdown, percent, plain, score_text, sentence
from ui.stage import show
from ui.widgets.callback import callback
from ui.widgets.download import download

TOML = "specs.toml"
FILE, LONGEST_FILE = "claim specs file", 100_000  # key of the upload, and the bytes of it that are read


def main() -> None:
    page = ClaimSettings.now(open_collection.ranked("claim", "A claim"))
    left, right = show.two_columns(0.29)
    with left:
        controls(page)
    if page.form == BEATS and page.a == page.b:
        right.info("Choose two different systems.", icon=":material/info:")
        return
    study = None
    with right, show.errors():
        made = judged(page, so_far)
        if made.value is not None:
            study = made
            decided, certainty = finding(study)
            show.put(decided)
            show.screen(shares_of(study))
            show.put(certainty)
            show.screen(curve(page, study))
    if study:
        show.explain(*explanation(study.value))
        beneath(page, study)


# --- the claim, and what counts ---------------------------------------------------------------------------------------


def controls(page: ClaimSettings) -> None:
    page.draw("form")
    if page.form != ORDER:
        page.draw("a")
    page.draw(*{BEATS: ["b"], AMONG: ["k"], ORDER: ["order"]}.get(page.form, []), "effect")
    help = "The choices and their options: open a row to leave options out. Weights of options are in the text."
    with st.expander("What counts as reasonable"):
        with suppress(InputError):  # shown in place of the curve
            st.caption(laid_out(page.design), help=help)
        rows(page)
    with st.expander("As text: keep, share, open", icon=":material/description:", key="claim text"):
        page.draw("specs")
        st.file_uploader("Open a file of specifications", "toml", key=FILE, on_change=open_file, args=(page,))
        about = "The options that count, to preregister, to share, or to run on the command line"
        download(f"Download {TOML}", page.text, TOML, about)
    st.caption(f"Cited as `{digest(page.specifications)}`, the digest of the specifications.")


def rows(page: ClaimSettings) -> None:
    """Draw a row for each choice, which opens to select the options that count."""
    with st.container(gap="xxsmall"):
        for choice in page.rows:
            counts, options = page.counted(choice), len(choice.options)
            opened, beside = st.columns([0.72, 0.28], vertical_alignment="center")
            with opened.popover(markdown(choice.name), width="stretch", key=f"row {choice.name}"):
                page.draw_parts("left_out", choice.name)
            weights = {option.weight for option in choice.options if option.name in counts}
            beside.caption(f"{len(counts)} of {options}{', weighted' * (len(weights) > 1)}")


@callback
def open_file(page: ClaimSettings) -> None:
    """Use the specifications of an uploaded file; the link carries their text."""
    if file := st.session_state[FILE]:
        page.change(specs=file.getvalue()[:LONGEST_FILE].decode("utf-8", "replace"))


def laid_out(design: Design) -> str:
    """Say how many combinations of options there are; only their scores show how many of them differ."""
    count = counted(len(design), "combination")
    if design.sampled:
        return f"{count}, drawn from {design.possible:,} (seed {design.specifications.seed})"
    return f"{count} of options (all valid ones)"


# --- the answer -------------------------------------------------------------------------------------------------------


def finding(made: Call[Study]) -> tuple[Headline, Sentence]:
    """The decision and what it depends on, and how certain it is."""
    study = made.value
    decided, *remarks = _verdict(study)
    certainty = Sentence("  \n".join((*remarks, *_joint(study))), caption=True, calls=(line("joint", made.it.joint),))
    return Headline(decided, (line("sentence", made.it.sentence), line("verdict", made.it.verdict))), certainty


def so_far(study: Study) -> tuple[str, Any]:
    """Return the decision by some of the specifications, and the page's first figure."""
    if len(table := study.by_option()):
        return next(_verdict(study)), figures.option_shares(table, study.claim.failing)
    return next(_verdict(study)), figures.specification_curve(study.frame(), **study.drawn)


def shares_of(made: Call[Study]) -> Iterator[Item]:
    """Share of the specifications in which the claim holds, by option of each choice that has more than one."""
    table = line("by_option", made.it.by_option())
    if not len(table.value):
        return
    figure = call("", figures.option_shares, table.it, made.value.claim.failing)
    alt = "Share of specifications in which the claim holds, by option of each choice; the values are in the tables"
    yield Figure(figure, "claim by option", alt)


def curve(page: ClaimSettings, made: Call[Study]) -> Iterator[Item]:
    """Effect in every specification, in ascending order, and the options of each."""
    table, drawing = line("table", made.it.frame()), plotted_plain("", made.it)
    figure = drawing.value
    if places := page.places(len(table.value)):
        figure.add_vrect(
            x0=places[0] - 0.5, x1=places[1] - 0.5, fillcolor="#8a94a0", opacity=0.25, line_width=1, layer="below"
        )
    count, take = len(table.value), partial(page.look_at, table.value["specification"])
    alt = f"Effect of the claim in {count:,} specifications, with the options of each; the values are in the tables"
    yield Figure(figure, "specification curve", alt, take, ("points", "box"), calls=(table, drawing))


def explanation(study: Study) -> tuple[str, str, str]:
    """Explain the figures: what they show, how to read them, what to try."""
    rank = f"the rank of {markdown(study.claim.systems[0])}" if study.kind == "rank" else EFFECT_WORDS[study.kind]
    return (
        "Each bar is one option of a choice: the share of its specifications in which the claim holds (blue), is "
        f"undecided on these topics (grey) or {study.claim.failing} (red). Each column of the curve is one way to "
        f"measure: its {rank} with 95% limits over topics, and below it marks for its options. Combinations of options "
        "with equal scores share a column.",
        f"If the bars of a choice are equal, or its marks spread evenly, the choice does not matter. {_rule(study)}",
        "Find the choice whose bars differ most and narrow it under *What counts as reasonable*. Does the claim "
        "survive? Click a column, or drag a box over the failures, to see their options.",
    )


def _rule(study: Study) -> str:
    """Say when the claim holds in a column, and when it fails."""
    claim, others = study.claim, len(study.multiverse.systems) - 1
    if claim.top is None and len(claim.pairs) == 1:
        return "A column is decided if the limits of the difference exclude 0, even if the figure shows another effect."
    if claim.top is None:
        return "It holds if every pair holds, and fails if any pair is reversed, corrected for the number of pairs."
    beats = "all others" if claim.top == 1 else f"at least {others - claim.top + 1} of the {others} others"
    beaten = "another system beats" if claim.top == 1 else f"{claim.top} others beat"
    return f"It holds if the system beats {beats} and fails if {beaten} it, after correction for the number of systems."


def _verdict(study: Study) -> Iterator[str]:
    """Yield the decision and what it depends on, then each further remark, with short names of systems."""
    claim = study.claim
    pairs = {claim.pair_text(at): _shortly(Claim(pair)) for at, pair in enumerate(claim.pairs)}
    breaks = tuple((pairs[text], share) for text, share in study.verdict.breaks)
    verdict = replace(study.verdict, claim=_shortly(claim), breaks=breaks)
    decided = markdown("." + verdict.decided.removeprefix(verdict.claim)).removeprefix(".")
    depends = verdict.dependence.removeprefix("; ")
    yield f"**{markdown(verdict.claim)}**{decided}." + (f"  \n{sentence(markdown(depends))}" if depends else "")
    yield from (sentence(markdown(words)) for words in verdict.remarks)


def _shortly(claim: Claim) -> str:
    """Return a claim as readable text, with short names of systems."""
    names = " > ".join(map(short, claim.systems))
    return names if claim.top is None else f"{names} {'first' if claim.top == 1 else f'in top {claim.top}'}"


def _joint(study: Study) -> Iterator[str]:
    joint = study.joint
    of = "" if len(study.claim.pairs) == 1 else f" ({markdown(_shortly(Claim(joint.pair)))} decides)"
    alike = "If the two were equally good" if not of else "If the claim were false"
    yield f"Joint test of the whole curve{of}: p = {joint.p:.3g}."
    yield (
        f"{alike}, a median lead of at least {score_text(joint.median, sign='+')} would have p = {joint.median_p:.3g}, "
        f"and {percent(joint.significant)} of the specifications significant in this direction (t-test, α = "
        f"{joint.alpha:g}) p = {joint.significant_p:.3g}."
    )


# --- beneath it -------------------------------------------------------------------------------------------------------


def beneath(page: ClaimSettings, made: Call[Study]) -> None:
    """Draw what is under the figure: the options behind a part of the curve, the text for the paper, and the tables."""
    study, table = made.value, line("table", made.it.frame())
    frame = table.value
    page.draw_stretch(len(frame))
    places = page.places(len(frame))
    if places and places[1] - places[0] == 1:
        one_specification(study, frame.iloc[places[0]], places[0], table)
    else:
        show.screen(options_of(page, made, table, places))
    for_the_paper(made)
    with st.expander("The numbers as tables", icon=":material/table_rows:"):
        show.screen(choices_of(page, made))
        options = line("by_option", made.it.by_option())
        show.put(Table(options, "claim by option", dict.fromkeys(DECISIONS, 3), index=False, height=320))
        words = study.caption(f'The effect of the claim "{study.claim}" in every specification', page.collection.title)
        show.put(Table(frame, "specifications", index=False, height=320, caption=words, calls=(table,)))
    for note in dict.fromkeys((*study.multiverse.design.notes, *study.multiverse.problems)):
        show.put(Text.note(markdown(note)))


def choices_of(page: ClaimSettings, made: Call[Study]) -> Iterator[Item]:
    """Table of the choices that the effect depends on."""
    study, choices = made.value, line("choices", made.it.choices())
    yield Text("**Choices that matter**")
    table = choices.value[["source", "share", "turns", "holds least", "holds most", "options"]]
    columns = {
        "share": st.column_config.ProgressColumn("of variance", min_value=0.0, max_value=1.0),
        "turns": st.column_config.TextColumn("changes when it") if table["turns"].any() else None,
        "holds least": st.column_config.NumberColumn(format="percent"),
        "holds most": st.column_config.NumberColumn(format="percent"),
    }
    words, name = f"Choices that the effect depends on. {study.sentence}", "what the claim depends on"
    words = study.caption(words, page.collection.title)
    yield Table(table, name, height=320, index=False, columns=columns, caption=words, calls=(choices,))
    yield Text.note(
        "Shares of the variance of the effect by choice and by topics: they show whether another measure or more "
        "topics would settle the claim. Only combinations explain *Choices together*. Among the options, *holds least* "
        "and *holds most* are the lowest and highest shares of specifications that hold."
    )


def one_specification(study: Study, row: pd.Series, place: int, table: Call[pd.DataFrame]) -> None:
    """Show the options of one specification, its effect and decision, and a link to its measure."""
    chosen = [f"{name} {row[name]}" for name in study.options if row[name]]
    decided = study.claim.decided[row["decision"]]
    known = not np.isnan(row[["low", "high"]].to_numpy(dtype=float)).any()
    limits = f"{score_text(row['low'])} to {score_text(row['high'])}" if known else "no limits"
    words = (
        f"Number {place + 1:,} of {len(study.curve):,}: {markdown(', '.join(chosen))}.  \nEffect "
        f"{score_text(row['effect'])} ({limits}): the claim **{decided}**{_broken(study, int(row['specification']))}."
    )
    show.put(Sentence(words, calls=(line("row", table.it.iloc[place]),)))
    if (count := int(study.multiverse.counts[int(row["specification"])])) > 1:
        show.put(Text.note(f"It represents {count:,} combinations of options with equal scores."))
    design, at = study.multiverse.design, int(row["specification"])
    measure, systems = design.measures[at], list(dict.fromkeys([*study.claim.systems, *study.joint.pair]))[:3]
    site.link("topic", "Open this measure, rank by rank", ":material/search:", measure=str(measure), compared=systems)
    if design.unassessed[at] != "0":
        worth = markdown(design.unassessed[at])
        show.put(Text.note(f"That page gives unassessed documents 0; this specification gives them: {worth}."))


def _broken(study: Study, number: int) -> str:
    """Name the pairs at which an order breaks in a specification; "" if none does, or if the claim has one pair."""
    if len(study.claim.pairs) < 2:
        return ""
    pairs = [study.claim.pair_text(at) for at in np.flatnonzero(study.curve.broken[number]).tolist()]
    return f" at {markdown(' and '.join(pairs))}" if pairs else ""


def options_of(
    page: ClaimSettings, made: Call[Study], table: Call[pd.DataFrame], places: tuple[int, int] | None
) -> Iterator[Item]:
    """Table of the options behind a stretch; without one, behind the worst decision: fails, undecided, or holds."""
    which, words = _looked_at(made, table, places)
    yield Text(f"**Options behind {words}**")
    combinations = line("combinations", made.it.multiverse.combinations)
    number = line("number", made.it.multiverse.specification_of)
    behind = call("behind", options_behind, combinations.it, which.it[number.it])
    columns = {
        "share": st.column_config.ProgressColumn(min_value=0.0, max_value=1.0),
        "share of all": st.column_config.NumberColumn("of all", format="percent"),
    }
    title = f'The options behind {plain(words)}, of the claim "{made.value.claim}"'
    title = made.value.caption(title, page.collection.title)
    count, decimals = line("n_behind", which.it.sum()), {"lift": 2}
    name, options = "options behind", behind.value
    yield Table(options, name, decimals, 320, index=False, columns=columns, caption=title, calls=(behind, count))
    yield Text.note("Lift: the frequency of the option relative to all specifications; 1 means equally often.")


def _looked_at(
    made: Call[Study], table: Call[pd.DataFrame], places: tuple[int, int] | None
) -> tuple[Call[BoolArray], str]:
    """Return the specifications that are looked at, True by their numbers, and what they are in words."""
    if places is None:
        decision = made.value.curve.decision
        worst = int(decision.min())
        words = {-1: "the failures", 0: "the undecided", 1: "the successes"}[worst]
        which = line("which", made.it.curve.decision == made.it.curve.decision.min())
        return which, f"{words} ({int((decision == worst).sum()):,})"
    low, high = places
    numbers = record(np.arange)(record(len)(table.it))
    which = call("which", np.isin, numbers, table.it["specification"][low:high])
    return which, f"numbers {low + 1:,} to {high:,}"


def for_the_paper(study: Call[Study]) -> None:
    methods, latex = line("methods", study.it.methods()), line("latex", study.it.latex())
    with st.expander("For the paper", icon=":material/article:", key="claim paper"):
        st.code(methods.value, language=None, wrap_lines=True)
        download("The choices as LaTeX, with the verdict", latex.value, "claim.tex", key="claim latex")
