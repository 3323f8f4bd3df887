"""The page Claim: where a claim holds among all reasonable ways to measure, and the sentence for the paper."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from evalcore import InputError, figures
from evalcore.claims import Study, digest, options_behind
from evalcore.claims.study import DECISIONS
from evalcore.common.arrays import BoolArray
from ui.address import site
from ui.address.families import plotted_plain
from ui.claims import texts
from ui.claims.claim_settings import AMONG, BEATS, ORDER, ClaimSettings
from ui.claims.scored import judged
from ui.data import open_collection
from ui.screen.calls import Call, call, line, record
from ui.screen.items import Figure, Headline, Item, Sentence, Table, Text
from ui.screen.text import markdown, plain, score_text
from ui.stage import show
from ui.widgets.callback import callback
from ui.widgets.download import download

TOML = "specs.toml"
FILE, LONGEST_FILE = "claim specs file", 100_000  # key of the upload, and how many of its bytes are read


def main() -> None:
    page = ClaimSettings.now(open_collection.ranked("claim", "A claim"))
    left, right = show.two_columns(0.29)
    with left:
        controls(page)
    if page.form == BEATS and page.a == page.b:
        right.info(texts.SAME_SYSTEM, icon=":material/info:")
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
        show.explain(*texts.reading(study.value))
        beneath(page, study)


# --- the claim and the options in use ---------------------------------------------------------------------------------


def controls(page: ClaimSettings) -> None:
    page.draw("form")
    if page.form != ORDER:
        page.draw("a")
    page.draw(*{BEATS: ["b"], AMONG: ["k"], ORDER: ["order"]}.get(page.form, []), "effect")
    with st.expander("What counts as reasonable"):
        with suppress(InputError):  # the curve's place shows the error
            st.caption(texts.laid_out(page.design), help=texts.REASONABLE)
        rows(page)
    with st.expander("As text, to keep, share or open", icon=":material/description:", key="claim text"):
        page.draw("specs")
        st.file_uploader("Open a file of specifications", "toml", key=FILE, on_change=open_file, args=(page,))
        download(f"Download {TOML}", page.text, TOML, texts.TO_DOWNLOAD)
    st.caption(texts.cited(digest(page.specifications)))


def rows(page: ClaimSettings) -> None:
    """Draw one row for each choice with several options; a click on it opens a list to select the options in use."""
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
    """Use the specifications in an uploaded file; the link then contains their text."""
    if file := st.session_state[FILE]:
        page.change(specs=file.getvalue()[:LONGEST_FILE].decode("utf-8", "replace"))


# --- the answer -------------------------------------------------------------------------------------------------------


def finding(made: Call[Study]) -> tuple[Headline, Sentence]:
    """Return a headline and a sentence on the certainty of the decision.

    The headline has the decision and the choices that it depends on.
    """
    study = made.value
    decided, *remarks = texts.verdict(study)
    words = "  \n".join((*remarks, *texts.joint(study)))
    certainty = Sentence(words, caption=True, calls=(line("joint", made.it.joint),))
    return Headline(decided, (line("sentence", made.it.sentence), line("verdict", made.it.verdict))), certainty


def so_far(study: Study) -> tuple[str, Any]:
    """Return the decision in words and the page's first figure, both for the specifications scored so far."""
    if len(table := study.by_option()):
        return next(texts.verdict(study)), figures.option_shares(table, study.claim.failing)
    return next(texts.verdict(study)), figures.specification_curve(study.frame(), **study.drawn)


def shares_of(made: Call[Study]) -> Iterator[Item]:
    """Yield the figure of the share of specifications in which the claim holds, by option.

    Nothing is yielded if no choice has several options.
    """
    table = line("by_option", made.it.by_option())
    if not len(table.value):
        return
    figure = call("", figures.option_shares, table.it, made.value.claim.failing)
    yield Figure(figure, "claim by option", texts.BY_OPTION)


def curve(page: ClaimSettings, made: Call[Study]) -> Iterator[Item]:
    """Yield the figure of the effect in every specification, in ascending order, with the options of each."""
    table, drawing = line("table", made.it.frame()), plotted_plain("", made.it)
    figure = drawing.value
    if places := page.places(len(table.value)):
        figure.add_vrect(
            x0=places[0] - 0.5, x1=places[1] - 0.5, fillcolor="#8a94a0", opacity=0.25, line_width=1, layer="below"
        )
    count, take = len(table.value), partial(page.look_at, table.value["specification"])
    alt = texts.curve(count)
    yield Figure(figure, "specification curve", alt, take, ("points", "box"), calls=(table, drawing))


# --- beneath it -------------------------------------------------------------------------------------------------------


def beneath(page: ClaimSettings, made: Call[Study]) -> None:
    """Draw the parts below the figure: options behind a section of the curve, text for the paper, and tables."""
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
        words = study.caption(texts.table_of_effects(study.claim), page.collection.title)
        show.put(Table(frame, "specifications", index=False, height=320, caption=words, calls=(table,)))
    for note in dict.fromkeys((*study.multiverse.design.notes, *study.multiverse.problems)):
        show.put(Text.note(markdown(note)))


def choices_of(page: ClaimSettings, made: Call[Study]) -> Iterator[Item]:
    """Yield the table of the choices that change the effect."""
    study, choices = made.value, line("choices", made.it.choices())
    yield Text("**Choices that matter**")
    table = choices.value[["source", "share", "turns", "holds least", "holds most", "options"]]
    columns = {
        "share": st.column_config.ProgressColumn("of variance", min_value=0.0, max_value=1.0),
        "turns": st.column_config.TextColumn("changes when it") if table["turns"].any() else None,
        "holds least": st.column_config.NumberColumn(format="percent"),
        "holds most": st.column_config.NumberColumn(format="percent"),
    }
    words, name = study.caption(texts.table_of_choices(study), page.collection.title), "what the claim depends on"
    yield Table(table, name, height=320, index=False, columns=columns, caption=words, calls=(choices,))
    yield Text.note(texts.SHARES)


def one_specification(study: Study, row: pd.Series, place: int, table: Call[pd.DataFrame]) -> None:
    """Show the options of one specification, its effect and decision, and a link to its measure."""
    design, at = study.multiverse.design, int(row["specification"])
    chosen = ", ".join(f"{name} {row[name]}" for name in study.options if row[name])
    known = not np.isnan(row[["low", "high"]].to_numpy(dtype=float)).any()
    limits = f"{score_text(row['low'])} to {score_text(row['high'])}" if known else "no limits"
    words = texts.one_specification(place + 1, study, chosen, row, limits, _broken(study, at))
    show.put(Sentence(words, calls=(line("row", table.it.iloc[place]),)))
    if (count := int(study.multiverse.counts[at])) > 1:
        show.put(Text.note(texts.represents(count)))
    measure, systems = design.measures[at], list(dict.fromkeys([*study.claim.systems, *study.joint.pair]))[:3]
    site.link("topic", texts.REPLAY, ":material/search:", measure=str(measure), compared=systems)
    if design.unassessed[at] != "0":
        show.put(Text.note(texts.other_worth(design.unassessed[at])))


def _broken(study: Study, number: int) -> str:
    """Return the pairs that break an order in a specification, in words.

    The text is "" if no pair breaks the order, or if the claim has only one pair.
    """
    if len(study.claim.pairs) < 2:
        return ""
    pairs = [study.claim.pair_text(at) for at in np.flatnonzero(study.curve.broken[number]).tolist()]
    return f" at {markdown(' and '.join(pairs))}" if pairs else ""


def options_of(
    page: ClaimSettings, made: Call[Study], table: Call[pd.DataFrame], places: tuple[int, int] | None
) -> Iterator[Item]:
    """Yield the table of the options behind the selected section.

    Without a section, the table shows the options behind all failures; if there are none, behind all undecided
    specifications; if there are none of these either, behind all successes.
    """
    which, words = _looked_at(made, table, places)
    yield Text(f"**Options behind {words}**")
    combinations = line("combinations", made.it.multiverse.combinations)
    number = line("number", made.it.multiverse.specification_of)
    behind = call("behind", options_behind, combinations.it, which.it[number.it])
    columns = {
        "share": st.column_config.ProgressColumn(min_value=0.0, max_value=1.0),
        "share of all": st.column_config.NumberColumn("of all", format="percent"),
    }
    title = made.value.caption(texts.table_of_options(plain(words), made.value.claim), page.collection.title)
    count, decimals = line("n_behind", which.it.sum()), {"lift": 2}
    name, options = "options behind", behind.value
    yield Table(options, name, decimals, 320, index=False, columns=columns, caption=title, calls=(behind, count))
    yield Text.note(texts.LIFT)


def _looked_at(
    made: Call[Study], table: Call[pd.DataFrame], places: tuple[int, int] | None
) -> tuple[Call[BoolArray], str]:
    """Return the call of a mask of the selected specifications, by number, and a description of the selection."""
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
