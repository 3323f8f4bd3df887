"""A ranking and labels of your own: what each measure says of it, rank by rank, and what if a document moved."""

from __future__ import annotations

import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import InputError, figures
from evalcore.data import Collection
from evalcore.data.written import SYSTEM, TOPIC
from evalcore.explain.rank_by_rank import walk
from evalcore.explain.what_if import edited
from evalcore.figures.endless import score_text
from evalcore.figures.style import system_styles
from evalcore.rounding import less
from ui.address.edits import MOST, buttons
from ui.computing.measures import answered, frames
from ui.data.as_python import python, text_lines
from ui.screen.items import Figure, Headline, Table
from ui.screen.text import counted, markdown
from ui.stage import show
from ui.widgets.beside import two_columns
from ui.widgets.ranking_table import KEYS, ranking_table, rows_of
from ui.worked_examples.controls import GALLERY, ExampleSettings


def your_own(page: ExampleSettings) -> None:
    left, right = two_columns(0.3)
    with left:
        page.draw("written", "measures")
        st.caption("Start from")
        with st.container(horizontal=True, gap="small"):
            for name, text in GALLERY.items():
                st.button(name, key=f"gallery {name}", on_click=page.start, args=(text,))
    with right, show.errors():
        if isinstance(page.yours, InputError):
            raise page.yours
        answer(page, page.yours)
    show.explain(
        "Your ranking as a table, and below it the score by each measure, with what each rank adds to it.",
        "A measure that is a sum over ranks has a column and a curve; of the others there is the score alone. Grades "
        "go from 0 to the highest one, by which most measures divide.",
        "Drag a document to another rank, or choose another label, and see which measures notice. Write documents that "
        "the ranking lacks below ---: nDCG and AP fall, RBP and P@k do not.",
    )
    python(lambda: code(page))


def answer(page: ExampleSettings, written: Collection) -> None:
    """Scores of the example as written and as edited, and what each rank adds."""
    after = edited(written, page.made)
    now, (before, _) = frames(after, page.measures), answered(written, page.measures)
    if not now:
        raise InputError("expected a measure that fits these aspects, found none")
    walks = {text: down(after, text) for text in now}
    first = next(iter(walks.values()))
    with st.container(horizontal=True, gap="small"):
        buttons(page)
    ranking_table("own ranking", rows_of(written, page.made, SYSTEM, TOPIC, first, MOST, KEYS), page.make)
    table = pd.DataFrame(
        {
            "as written": {text: before[text][SYSTEM].iloc[0] for text in now},
            "edited": {text: frame[SYSTEM].iloc[0] for text, frame in now.items()},
        }
    ).rename_axis("measure")
    first_text, score = next(iter(table["edited"].items()))
    if page.made:
        changed = sum(1 for one, other in table.to_numpy(dtype=float) if less(one, other) or less(other, one))
        what = f"{counted(changed, 'measure')} of {len(table)} {'notices' if changed == 1 else 'notice'}"
        show.put(Headline(f"{what} what {counted(len(page.made), 'edit')} changed."))
    else:
        show.put(Headline(f"By {markdown(str(first_text))} your ranking scores **{score_text(score)}**."))
    show.put(Table(table, "scores of your example"))
    sums = {text: one for text, one in walks.items() if "sum so far" in one}
    if sums:
        alt = "The score by each measure as it grows from rank to rank"
        show.put(
            Figure(
                figures.running_sums(sums, system_styles(list(sums)), height=300 + 20 * len(sums), discount=False),
                "own sums",
                alt,
            )
        )
        adds = pd.DataFrame({text: one["adds"] for text, one in sums.items()})
        adds.insert(0, "document", first["document"])
        st.caption("What each rank adds to the score:")
        show.put(Table(adds, "what each rank adds"))
    if len(sums) < len(walks):
        others = ", ".join(markdown(text) for text in walks if text not in sums)
        st.caption(f"No sum over ranks: {others}.")


def down(collection: Collection, measure: str) -> pd.DataFrame:
    """The ranking from the top to its end under a measure."""
    count = int(collection.rankings.length[0, 0])
    return walk(ec.parse(measure), collection.assessments, collection.rankings, 0, 0, count)


def code(page: ExampleSettings) -> list[str]:
    """What recomputes the scores."""
    return [
        "import evalcore as ec",
        "from evalcore.data.written import written_collection",
        "from evalcore.explain.rank_by_rank import walk",
        "from evalcore.explain.what_if import edited",
        "from evalcore.rounding import less",
        "",
        f"c = written_collection({text_lines(page.written or '')})",
        f"after = edited(c, {list(page.made)!r})",
        f"measures = {list(page.measures or ())!r}",
        "scores = [{text: ec.evaluate(text, one).iloc[0, 0] for text in measures} for one in (c, after)]",
        "count = int(after.rankings.length[0, 0])",
        "walks = [walk(ec.parse(text), after.assessments, after.rankings, 0, 0, count) for text in measures]",
        "pairs = [(scores[0][text], scores[1][text]) for text in measures]",
        "changed = sum(1 for one, other in pairs if less(one, other) or less(other, one))",
    ]
