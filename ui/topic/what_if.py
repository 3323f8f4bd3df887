"""What if a document stood elsewhere, or had another label? A look of the page Topic."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import InputError, figures
from evalcore.data import Collection
from evalcore.explain.what_if import (
    Insert,
    MoveTo,
    Regrade,
    Remove,
    Reorder,
    WhatIf,
    edited,
    parse_edit,
    what_if,
)
from evalcore.figures.endless import score_text
from evalcore.figures.style import LINE
from evalcore.measures.base import unwrapped
from evalcore.progress import Tell, telling
from ui.address import families
from ui.address.edits import MOST
from ui.address.edits import buttons as edit_buttons
from ui.address.families import named
from ui.computing import work
from ui.computing.measures import NOT_YET
from ui.computing.ranked import read_down
from ui.data import open_collection
from ui.screen.items import Figure, Headline, Table
from ui.screen.text import counted, markdown
from ui.server import held
from ui.stage import show
from ui.topic.controls import TopicSettings
from ui.widgets.ranking_table import ranking_table, rows_of

AS_IT_IS = "as it is"
EXPLANATION = (
    "The table is the ranking of one system, as edited: each rank says where its document stood, each label that was "
    "changed is marked. The curves are the score as it grows, grey as it is, in colour as edited.",
    "A document that moves changes this system alone. A label that changes does so for every system that retrieved the "
    "document: the lines below show who passes whom on this topic. Over all topics it counts for one of them.",
    "Move the best document from rank 1 to 2, then from 9 to 10: where does the measure look? Take a relevant label "
    "away that one system alone retrieved. Send the link: it opens with the same edits.",
)


@held.once
def _kept() -> work.ResultCache:
    """Few: each edit gives others."""
    return work.ResultCache(32)


def draw(page: TopicSettings) -> None:
    """The look. Raises InputError where the collection cannot be edited, or not be scored."""
    collection = page.collection
    after = edited(collection, page.made)
    found = answer(page)
    walks = {
        AS_IT_IS: read_down(collection, page.measure, page.system, page.topic, page.depth),
        page.system: read_down(after, page.measure, page.system, page.topic, page.depth),
    }
    headline(page, found)
    buttons(page, walks[page.system])
    ranking_table(
        "ranking table",
        rows_of(collection, page.made, page.system, page.topic, walks[page.system], MOST),
        page.make,
    )
    notes(page, after)
    curves(page, walks)
    answers(page, found)


def answer(page: TopicSettings) -> WhatIf:
    """Scores before and after; kept for who goes back and forth."""
    name = ("what if", page.collection.fingerprint, page.measure, page.made)
    label = f"Scoring by {markdown(page.measure)}"
    found = work.result("what if", label, name, partial(_answer, page), cache=_kept())
    if found is None:
        raise InputError(NOT_YET)
    return found


def _answer(page: TopicSettings, tell: Tell) -> WhatIf:
    with telling(tell):
        return what_if(page.measure, page.collection, page.made)


def headline(page: TopicSettings, found: WhatIf) -> None:
    """Score and rank of the system on the topic and over topics, before and after; and how far systems moved."""
    query = page.collection.queries.get(page.topic, "")
    st.markdown(f"**Topic {markdown(page.topic)}** {markdown(query)}")
    on_topic, mean = found.on_topic(page.topic), found.in_the_mean
    moved, moved_mean = (int((table["change"] != 0).sum()) for table in (on_topic, mean))
    if not page.made:
        show.put(Headline("Nothing is edited yet: drag a document to another rank, or choose another label."))
    else:
        row = on_topic.T[page.system]
        show.put(
            Headline(
                f"After {counted(len(page.made), 'edit')} **{named(page.system)}** scores "
                f"**{score_text(row['score_y'])}** on this topic (was {score_text(row['score_x'])}). "
                f"{counted(moved, 'system')} of {len(on_topic)} change their rank on it, {moved_mean} over all topics."
            )
        )
    places = st.columns(4)
    for at, (words, table) in enumerate((("on the topic", on_topic), ("mean", mean))):
        row = table.T[page.system]
        change = row["score_y"] - row["score_x"]
        shown = f"{change:+.4f}" if np.isfinite(change) and change else None
        ranks = f"Rank {row['rank_y']:.0f} of {len(table)}; as it is {row['rank_x']:.0f}"
        show.metric(places[2 * at], f"Score {words}", score_text(row["score_y"]), shown, help=ranks)
        tau = found.tau_on(page.topic) if table is on_topic else found.tau
        help = f"Kendall's τ of the systems before and after, {words}"
        show.metric(places[2 * at + 1], f"τ {words}", score_text(tau, 3), help=help)


def buttons(page: TopicSettings, walk: pd.DataFrame) -> None:
    """Back and forth, and the best order."""
    with st.container(horizontal=True, gap="small"):
        edit_buttons(page)
        ranks = best_order(walk)
        same = ranks == tuple(range(1, len(walk) + 1)) or len(page.made) >= MOST
        st.button(
            "Best gains first",
            icon=":material/sort:",
            disabled=same,
            on_click=page.add,
            args=(Reorder(page.topic, page.system, ranks),),
            help="The documents shown, in the order of what the measure gains from each",
            key="edits best",
        )


def best_order(walk: pd.DataFrame) -> tuple[int, ...]:
    """The ranks in descending order of gain; as they are where the measure is no sum of gains."""
    if "gain" not in walk:
        return tuple(walk.index.tolist())
    return tuple(walk["gain"].sort_values(ascending=False, kind="stable").index.tolist())


def notes(page: TopicSettings, after: Collection) -> None:
    """What edits reach, and which they are."""
    source = unwrapped(ec.parse(page.measure))[1]
    if source:
        st.caption(f"The measure reads the labels of {markdown(source)}; labels here are those read unasked.")
    st.caption("Other looks and pages show the collection as it is. Back in the browser takes an edit back as well.")
    if not page.made:
        return
    with st.expander(f"{counted(len(page.made), 'edit')}, in their order"):
        st.markdown("\n".join(f"{at}. {in_words(text, after)}" for at, text in enumerate(page.made, start=1)))


def in_words(text: str, collection: Collection) -> str:
    """An edit for a reader, in Markdown."""
    match parse_edit(text):
        case MoveTo(topic, system, rank, to):
            said = f"{named(system)} on {markdown(topic)}: from rank {rank} to {to}"
        case Reorder(topic, system, ranks):
            said = f"{named(system)} on {markdown(topic)}: the first {len(ranks)} in another order"
        case Insert(topic, system, document, rank):
            said = f"{named(system)} on {markdown(topic)}: {markdown(document)} comes in at rank {rank}"
        case Remove(topic, system, rank):
            said = f"{named(system)} on {markdown(topic)}: rank {rank} is taken out"
        case Regrade(topic, document, aspect, grade):
            label = "not assessed" if grade is None else f"{grade:g}"
            said = f"{markdown(document)} on {markdown(topic)}: {markdown(aspect)} is {label}"
        case _:
            said = markdown(text)
    return said


def curves(page: TopicSettings, walks: dict[str, pd.DataFrame]) -> None:
    """The score as it grows from rank to rank, before and after."""
    if not all("sum so far" in table for table in walks.values()):
        st.caption(f"{markdown(page.measure)} is no sum over ranks: labels are shown, what each rank adds is not.")
        return
    own = open_collection.styles(page.collection)[page.system]
    styles = {AS_IT_IS: replace(own, colour=LINE, symbol="circle-open"), page.system: own}
    figure = figures.running_sums(walks, styles)
    show.put(
        Figure(figure, "edited sums", f"The score by {page.measure} as it grows from rank to rank, before and after")
    )


def answers(page: TopicSettings, found: WhatIf) -> None:
    """How the ranking of systems answers: on the topic as lines, and with the means as a table."""
    if len(page.collection.systems) > 1:
        scores = {"as it is": found.before.T[page.topic], "edited": found.after.T[page.topic]}
        drawn = figures.bump(scores, open_collection.styles(page.collection), [page.system])
        alt = f"Ranks of all systems on topic {page.topic}, as it is and edited; values in the table"
        show.put(Figure(drawn, "edited ranks", alt))
    show.put(Table(both(page, found), f"what if on {page.topic}", height=320))


def both(page: TopicSettings, found: WhatIf) -> pd.DataFrame:
    """Scores and ranks of all systems on the topic and over topics, before and after; who moves most first."""
    names = {"score_x": "score", "score_y": "score edited", "rank_x": "rank", "rank_y": "rank edited"}
    on_topic = found.on_topic(page.topic).rename(columns={**names, "change": "places"})
    means = found.in_the_mean.rename(columns={old: f"mean {new}" for old, new in names.items()})
    table = on_topic.join(means.rename(columns={"change": "mean places"}))
    order = np.lexsort([table["rank edited"], -table["places"].abs()])
    return table.iloc[order]


def python_lines(page: TopicSettings) -> list[str]:
    """What recomputes each number of the look."""
    return [
        "from evalcore import figures",
        "from evalcore.explain.rank_by_rank import walk",
        "from evalcore.explain.what_if import edited, what_if",
        "",
        f"measure, system, topic = ec.parse({page.measure!r}), {page.system!r}, {page.topic!r}",
        f"edits = {list(page.made)!r}",
        "found = what_if(measure, c, edits)",
        "on_topic, means = found.on_topic(topic), found.in_the_mean",
        "score, mean = on_topic.loc[system], means.loc[system]",
        'changes = [one["score_y"] - one["score_x"] for one in (score, mean)]',
        "taus = [found.tau_on(topic), found.tau]",
        'moved = [int((one["change"] != 0).sum()) for one in (on_topic, means)]',
        "at = c.systems.index(system), c.topics.index(topic)",
        "after = edited(c, edits)",
        f"walks = [walk(measure, one.assessments, one.rankings, *at, {page.depth}) for one in (c, after)]",
        *families.code(page.collection),
        "ranked = {'as it is': found.before.T[topic], 'edited': found.after.T[topic]}",
        "figures.bump(ranked, styles, [system])",
    ]
