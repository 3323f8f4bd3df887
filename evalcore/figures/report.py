"""A report: chosen figures and tables with their settings in one HTML file that needs nothing else.

Figures stay interactive. The file asks no host for anything, and says so to the browser that opens it.
"""

from __future__ import annotations

import base64
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from html import escape
from importlib.metadata import version

import pandas as pd
import plotly.graph_objects as go
from plotly.io import to_html
from plotly.offline import get_plotlyjs

from evalcore import figures
from evalcore.claims.study import Study
from evalcore.data.averages import lacked_text
from evalcore.figures.endless import score_text
from evalcore.latex import caption, latex_table
from evalcore.measures import Measure, evaluate, short_names
from evalcore.meta import (
    RankIntervals,
    best_first,
    correlation_matrix,
    first_in_words,
    quickly_resampled,
    rank_intervals,
)
from evalcore.structures.documents import Collection

Shown = Sequence[tuple[str, go.Figure | pd.DataFrame]]
HOW_SURE = "How sure the ranks are"
PACKAGES = ("numpy", "scipy", "pandas", "plotly")
DECIMALS = 4
MOST_ROWS = 200  # of a table that is there as LaTeX too
SEEDS = "start from seed 0, unless a setting above names another"
# Nothing may be fetched; what is in the file may run and be shown.
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:"
)
STYLE = """
body { font: 16px/1.5 "Source Sans 3", "Segoe UI", system-ui, sans-serif; color: #1d2733; background: #fff;
  max-width: 75rem; margin: 2rem auto; padding: 0 1.5rem; }
h1 { margin-bottom: 0; } h2 { margin-top: 3rem; border-top: 1px solid #ccd4dc; padding-top: 1rem; }
.quiet { color: #57636f; } figure { margin: 1.5rem 0; } figcaption { color: #57636f; font-size: 0.9rem; }
.wide { overflow-x: auto; max-height: 32rem; }
table { border-collapse: collapse; font-size: 0.85rem; font-variant-numeric: tabular-nums; }
th, td { padding: 0.2rem 0.7rem; text-align: right; } thead :is(th, td) { border-bottom: 1px solid #57636f; }
tbody th, td.text { text-align: left; font-weight: normal; } tbody tr:nth-child(even) { background: #f3f6f9; }
dt { font-weight: 600; } dd { margin: 0 0 0.3rem 1rem; overflow-wrap: anywhere; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: 0.85rem; }
@media print { .file { display: none; } .wide { max-height: none; } h2 { break-before: page; } }
"""


@dataclass(frozen=True, eq=False)
class View:
    """One screen: its title, what it said, what was set, the link that opens it again, what it showed, with captions.

    `note` is what the person who kept it has to say; `headline` has a line for each sentence of the page; `about` says
    on which data, by which measures and set how, and ends every caption.
    """

    title: str
    settings: Mapping[str, str] = field(default_factory=dict)
    link: str = ""
    shown: Sequence[tuple[str, go.Figure | pd.DataFrame]] = ()
    headline: Sequence[str] = ()
    note: str = ""
    about: str = ""


def write_report(views: Sequence[View], collection: Collection, title: str = "Report", made: str = "") -> str:
    """The report as the text of an HTML file.

    Says what was loaded (with its fingerprint), every setting, the versions, and the link that opens each view again.
    `made` is the date to print; none given: now. All text is escaped.
    """
    made = made or datetime.now().astimezone().strftime("%Y-%m-%d %H:%M %Z")
    numbered = [_view(view, number) for number, view in enumerate(views, start=1)]
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
            '<meta name="viewport" content="width=device-width">',
            f"<title>{escape(title)}</title><style>{STYLE}</style>",
            f"<script>{get_plotlyjs()}</script></head><body><main>",
            f'<h1>{escape(title)}</h1><p class="quiet">{escape(collection.title)} · {escape(made)}</p>',
            *numbered,
            "<h2>What this rests on</h2>",
            _pairs(_loaded(collection)),
            _pairs({**versions(), "Random steps": SEEDS}),
            _provenance(collection),
            "</main></body></html>",
        ]
    )


def _loaded(collection: Collection) -> dict[str, str]:
    """What was loaded; and where systems lack topics, which, and what means make of it."""
    facts = {"Collection": collection.title, "Loaded": collection.summary, "Fingerprint": collection.fingerprint}
    lacked = lacked_text(collection.rankings, collection.topics)
    return {**facts, "Means": lacked} if lacked else facts


def comparison(measures: Sequence[Measure], collection: Collection) -> list[View]:
    """Views that compare the systems by these measures: scatter of the first two, ranks, correlations, scores."""
    scores = evaluate(measures, collection)
    names = short_names(scores)
    tables = {names[text]: frame for text, frame in scores.items()}
    means = {name: frame.mean() for name, frame in tables.items()}
    shown = pd.DataFrame(means).loc[best_first(next(iter(means.values()))).index]
    settings = {"Measures": ", ".join(scores)}
    about = caption("", collection.title, list(scores))
    if len(collection.systems) < 2 or len(means) < 2:
        return [View("Scores", settings, shown=[("Mean scores over topics", shown)], about=about)]
    styles = figures.system_styles(collection.systems)
    (x_name, x), (y_name, y) = list(means.items())[:2]
    taus = correlation_matrix(tables).values
    found = {name: rank_intervals(frame) for name, frame in tables.items() if quickly_resampled(frame)}
    said = [first_in_words(one, name) for name, one in found.items()]
    doubt = [one.table for one in found.values()] if len(found) == len(tables) else []
    x_title, y_title = figures.plain(x_name), figures.plain(y_name)
    scatter = figures.scatter(x, {y_name: y}, styles, doubt=doubt[:2], x_title=x_title, y_title=y_title)
    bump = figures.bump(means, styles, doubt=doubt)
    return [
        View(
            f"{x_name} against {y_name}",
            settings,
            shown=[("Each mark is a system; on the line nothing changes", scatter)],
            about=about,
        ),
        View(
            "Ranks", shown=[("Ranks of the systems; lines that cross have swapped", bump)], headline=said, about=about
        ),
        *([View(HOW_SURE, shown=_how_sure(*next(iter(found.items())), styles), about=about)] if found else []),
        View("Which measures agree", shown=[("Kendall's tau_b of every two measures", taus)], about=about),
        View("Scores", shown=[("Mean scores over topics", shown)], about=about),
    ]


def _how_sure(name: str, found: RankIntervals, styles: figures.style.Styles) -> Shown:
    """How sure the ranks by one measure are: its figure, and the table of what it draws."""
    said = (
        f"{name}: ranks with their 95 % intervals over {found.n_resamples:,} resamples of {found.n_topics} topics; "
        "filled: not separable from the leader. Bars: how often a system is first"
    )
    columns = ["rank", "shared", "mean", "chance_first", "rank_low", "rank_high", "separable", "groups"]
    return [(said, figures.ranks_over_topics(found.table, styles)), (f"The same by {name}", found.table[columns])]


def versions() -> dict[str, str]:
    """What computed the numbers: Python and the packages that matter."""
    from evalcore import __version__

    found = {"Python": platform.python_version(), "evalcore": __version__}
    return found | {name: version(name) for name in PACKAGES}


def _view(view: View, number: int) -> str:
    shown = [_shown(f"{caption(said)} {view.about}".strip() if view.about else said, item) for said, item in view.shown]
    # A link that is not http could run script when clicked.
    link = f'<p><a href="{escape(view.link)}">Open this view again</a></p>' if view.link.startswith("http") else ""
    said = "<br>".join(map(escape, view.headline))
    texts = [f"<p><strong>{said}</strong></p>" if said else "", _paragraphs(view.note)]
    return "\n".join([f"<h2>{number}. {escape(view.title)}</h2>", *texts, _pairs(view.settings), link, *shown])


def of_claim(study: Study) -> View:
    """A claim: its specification curve and what it depends on, under the verdict and the methods."""
    curve = figures.specification_curve(study.frame(), study.options, kind=study.kind, top=study.claim.top)
    shown: list[tuple[str, go.Figure | pd.DataFrame]] = [
        ("Each column is one way to measure; marks beneath say what it chose.", curve),
        ("What the effect depends on.", study.choices().set_index("source")),
    ]
    settings = {"Claim": str(study.claim), "Specifications": study.digest, "Seed": str(study.seed)}
    return View(
        "Claim", settings, shown=shown, headline=[study.sentence], note=study.methods(), about=study.caption("")
    )


def _paragraphs(text: str) -> str:
    return "".join(f'<p class="note">{escape(part)}</p>' for part in text.split("\n") if part.strip())


def _shown(said: str, item: go.Figure | pd.DataFrame) -> str:
    body = _table(item, said) if isinstance(item, pd.DataFrame) else _figure(item)
    again = _latex(item, said) if isinstance(item, pd.DataFrame) and len(item) <= MOST_ROWS else ""
    return f"<figure>{body}<figcaption>{escape(said)}</figcaption>{again}</figure>"


def _latex(frame: pd.DataFrame, said: str) -> str:
    """The table once more, as a file that this one carries."""
    index = not isinstance(frame.index, pd.RangeIndex)
    text = latex_table(frame, said, label=said.partition(".")[0], index=index, decimals={})
    content = base64.b64encode(text.encode()).decode()
    return (
        f'<p><a class="file" download="table.tex" href="data:text/x-tex;base64,{content}">This table as LaTeX</a></p>'
    )


def _figure(figure: go.Figure) -> str:
    shown = go.Figure(figure)
    shown.update_layout(template="plotly_white", font={"family": "inherit"})
    if shown.layout.colorway is None:
        shown.update_layout(colorway=figures.style.PALETTE)
    # What its button saves is for a paper: vector, on white.
    config = {"displaylogo": False, "responsive": True, "toImageButtonOptions": {"format": "svg"}}
    text: str = to_html(shown, full_html=False, include_plotlyjs=False, config=config)
    return text


def _table(frame: pd.DataFrame, said: str) -> str:
    text: str = frame.to_html(float_format=lambda score: score_text(score, DECIMALS), border=0, na_rep="")
    # A header that says nothing is none: the corner over the names of the rows, and beside the name of the index.
    text = text.replace("<th></th>", "<td></td>")
    # What scrolls has to be reached by keys, and then has a name.
    return f'<div class="wide" tabindex="0" role="group" aria-label="{escape(said)}">{text}</div>'


def _provenance(collection: Collection) -> str:
    """What the files of the collection say of themselves; files that say the same together."""
    files: dict[str, list[str]] = {}
    for name, said in collection.report.provenance.items():
        files.setdefault(said, []).append(name)
    parts = [
        f"<details><summary>{escape(', '.join(names))}</summary><pre>{escape(said)}</pre></details>"
        for said, names in files.items()
    ]
    return "\n".join(["<h3>What the files say of themselves</h3>", *parts]) if parts else ""


def _pairs(settings: Mapping[str, str]) -> str:
    rows = "".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in settings.items())
    return f"<dl>{rows}</dl>" if rows else ""
