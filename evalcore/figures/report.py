"""A report: chosen figures and tables with their settings in one HTML file that needs nothing else.

Figures stay interactive. The file asks no host for anything, and says so to the browser that opens it.
"""

from __future__ import annotations

import base64
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from html import escape
from importlib.metadata import version
from typing import Any, TypeAlias, cast

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from plotly.io import to_html

from evalcore import figures, meta
from evalcore.claims.study import Study
from evalcore.common.latex import caption, latex_table
from evalcore.data.averages import lacked_text
from evalcore.data.restricting import restrict
from evalcore.direction import has_gaps
from evalcore.errors import InputError
from evalcore.figures import draw, offline, plotly_script
from evalcore.figures.endless import score_text
from evalcore.figures.mathml import mathml
from evalcore.figures.offline import DECIMALS, Thumb
from evalcore.measures import Measure, covered_topics, evaluate, short_names
from evalcore.measures.paths import with_path
from evalcore.sensitivity.parameters import Parameter, parameters_of
from evalcore.structures.documents import Collection

HOW_SURE = "How sure the ranks are"
PACKAGES = ("numpy", "scipy", "pandas", "plotly")
MOST_ROWS = 200  # of a table that is there as LaTeX too
SEEDS = "start from seed 0, unless a setting above names another"
# Nothing may be fetched; what is in the file may run and be shown.
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:"
)
SHARED = "plotly.min.js"  # of the pages of a folder
SHARED_POLICY = POLICY.replace("'unsafe-inline';", "'unsafe-inline' 'self' file:;", 1)
STYLE = """
body { font: 16px/1.5 "Source Sans 3", "Segoe UI", system-ui, sans-serif; color: #1d2733; background: #fff;
  max-width: 75rem; margin: 2rem auto; padding: 0 1.5rem; }
h1 { margin-bottom: 0; } h2 { margin-top: 3rem; border-top: 1px solid #ccd4dc; padding-top: 1rem; }
.quiet { color: #57636f; } figure { margin: 1.5rem 0; }
figcaption { color: #57636f; font-size: 0.9rem; white-space: pre-line; }
.wide { overflow-x: auto; max-height: 32rem; }
table { border-collapse: collapse; font-size: 0.85rem; font-variant-numeric: tabular-nums; }
th, td { padding: 0.2rem 0.7rem; text-align: right; } thead :is(th, td) { border-bottom: 1px solid #57636f; }
tbody th, td.text { text-align: left; font-weight: normal; } tbody tr:nth-child(even) { background: #f3f6f9; }
dl { display: grid; grid-template-columns: fit-content(22rem) 1fr; gap: 0.1rem 1.2rem; font-size: 0.9rem; }
dt { font-weight: 600; } dd { margin: 0; overflow-wrap: anywhere; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: 0.85rem; } .link code { overflow-wrap: anywhere; }
.formula { overflow-x: auto; overflow-y: hidden; padding: 0.5rem 0; }
.formula math { width: max-content; min-width: 100%; } [mathvariant="bold"] { font-weight: bold; }
mtd[columnalign="left"] { text-align: left; } mtd[columnalign="right"] { text-align: right; }
nav.ways { display: flex; gap: 1.2rem; } nav.ways a { padding: 0.4rem 0; }
@media print { .file { display: none; } .wide { max-height: none; } h2 { break-before: page; } }
"""


STAGE = ' class="stage"'
PRESENT = (
    '<p class="file"><button type="button" class="present">Present</button> '
    '<span class="quiet">one view a screen; arrow keys or a clicker lead on, D: dark, N: notes, Esc: back</span></p>'
)
_BUTTONS = {
    "back": ("←", "Back"),
    "onward": ("→", "Forward"),
    "darker": ("◐", "Dark or light: D"),
    "leave": ("✕", "Leave: Esc"),
}
BAR = (
    '<nav class="stage-bar" aria-label="Presentation"><span class="position" role="status"></span>'
    + "".join(
        f'<button type="button" class="{name}" title="{meaning}" aria-label="{meaning}">{sign}</button>'
        for name, (sign, meaning) in _BUTTONS.items()
    )
    + "</nav>"
)


@dataclass(frozen=True)
class Formula:
    """A formula in LaTeX."""

    latex: str


@dataclass(frozen=True)
class Heading:
    """What stands over a part of a view."""

    text: str


@dataclass(frozen=True)
class Rests:
    """The data that a view was made on: their title, what was loaded with its fingerprint, what its files say."""

    title: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)
    provenance: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Folded:
    """A text or formulas that open by a click, under what they are."""

    title: str
    text: str = ""
    formulas: tuple[Formula, ...] = ()


@dataclass(frozen=True)
class Controls:
    """Where the sliders of a view stand, if not under its title."""


Item: TypeAlias = draw.Drawn | pd.DataFrame | Formula | Heading | Folded | Controls | str
Shown: TypeAlias = Sequence[tuple[str, Item]]


@dataclass(frozen=True, eq=False)
class View:
    """One screen: its title, what it said, what was set, how it opens again, what it showed, with captions.

    `link` is an address, or the path of the view in an app, whose address is its reader's: that is told as text.
    `shown` may have formulas and paragraphs of text between figures and tables. `note` is what the person who kept it
    has to say; `headline` has a line for each sentence of the page; `about` says on which data, by which measures and
    set how, and ends every caption. `sliders` move what is shown. `data` is what it was made on; None: the collection
    of the report.
    """

    title: str
    settings: Mapping[str, str] = field(default_factory=dict)
    link: str = ""
    shown: Sequence[tuple[str, Item]] = ()
    headline: Sequence[str] = ()
    note: str = ""
    about: str = ""
    data: Rests | None = None
    sliders: Sequence[Thumb] = ()


def write_report(
    views: Sequence[View],
    collection: Collection,
    title: str = "Report",
    made: str = "",
    introduction: str = "",
    *,
    stage: bool = False,
) -> str:
    """The report as the text of an HTML file.

    Says what each view was made on (with its fingerprint), every setting, the versions, and how each view opens again.
    `made` is the date to print; none given: now. `introduction` stands before the views. All text is escaped. A view
    takes at most 2 MB apart from plotly.js, where its sliders can make it so: they have fewer places first, and are
    left out where that is not enough, which is said. `stage`: it opens as slides, a view a screen.
    """
    made = made or datetime.now().astimezone().strftime("%Y-%m-%d %H:%M %Z")
    opened = rests_on(collection)
    on = [opened if view.data is None else view.data for view in views] or [opened]
    several = len({_known(view) for view in on}) > 1
    numbered = [
        _view(view, number, data.title * several)
        for number, (view, data) in enumerate(zip(views, on, strict=False), start=1)
    ]
    titles = " · ".join(dict.fromkeys(filter(None, (view.title for view in on))))
    body = [
        f'<h1>{escape(title)}</h1><p class="quiet">{escape(" · ".join(filter(None, [titles, made])))}</p>',
        _paragraphs(introduction),
        PRESENT,
        *numbered,
        "<h2>What this rests on</h2>",
        *_resting(on, several),
        _pairs({**versions(), "Random steps": SEEDS}),
    ]
    return _page(title, body, f"<script>{plotly_script.text()}</script>", POLICY, stage=stage)


def _page(title: str, body: Sequence[str], library: str, policy: str, *, stage: bool = False) -> str:
    """An HTML file with what moves its views; `library` loads plotly.js."""
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width">',
            f"<title>{escape(title)}</title><style>{STYLE}{offline.style()}</style>",
            f"{library}</head><body{STAGE * stage}>{BAR}<main>",
            *body,
            f"</main>{offline.script()}</body></html>",
        ]
    )


def write_pages(views: Sequence[View], title: str, introduction: str = "") -> dict[str, str]:
    """Views as a folder of pages, one each, that share plotly.js: the text of each file by its name.

    `index.html` leads to them and each to the next; nothing is fetched but files of the folder. Each takes at most 2 MB
    where its sliders can make it so, as in a report.
    """
    names = [f"{at}.html" for at in range(1, len(views) + 1)]
    links = [f'<li><a href="{name}">{escape(view.title)}</a></li>' for name, view in zip(names, views, strict=True)]
    index = [f"<h1>{escape(title)}</h1>", _paragraphs(introduction), f"<ol>{''.join(links)}</ol>"]
    files = {"index.html": _page(title, index, "", POLICY), SHARED: plotly_script.text()}
    for at, (name, view) in enumerate(zip(names, views, strict=True)):
        before, after = [names[at - 1]] if at else [], names[at + 1 : at + 2]
        ways = [*((to, "Back") for to in before), ("index.html", "All"), *((to, "Next") for to in after)]
        bar = "".join(f'<a href="{to}">{text}</a> ' for to, text in ways)
        nav = f'<nav class="ways" aria-label="Pages">{bar}</nav>'
        rests = view.data or Rests()
        facts = [_pairs({**rests.facts, **versions()})]
        head = [f'<p class="quiet">{escape(title)} · {at + 1} of {len(views)}</p>']
        body = [nav, *head, _view(view, at + 1, "", "h1"), "<h2>What this rests on</h2>", *facts]
        files[name] = _page(f"{view.title} · {title}", body, f'<script src="{SHARED}"></script>', SHARED_POLICY)
    return files


def rests_on(collection: Collection | None) -> Rests:
    """What a view that was made on a collection rests on; nothing for a view of no data.

    Where systems lack topics, that is which, and what means make of it.
    """
    if collection is None:
        return Rests()
    facts = {"Collection": collection.title, "Loaded": collection.summary, "Fingerprint": collection.fingerprint}
    lacked = lacked_text(collection.rankings, collection.topics)
    facts = {**facts, "Means": lacked} if lacked else facts
    return Rests(collection.title, facts, dict(collection.report.provenance))


def _known(view: Rests) -> tuple[tuple[str, str], ...]:
    return tuple(view.facts.items())


def _resting(on: Sequence[Rests], several: bool) -> list[str]:
    """Each collection once; where there are several, with the numbers of the views that were made on it."""
    of: dict[tuple[tuple[str, str], ...], list[int]] = {}
    for number, view in enumerate(on, start=1):
        of.setdefault(_known(view), []).append(number)
    parts = []
    for numbers in of.values():
        data = on[numbers[0] - 1]
        facts = data.facts or {"Collection": "none"}
        views = {f"View{'s'[: len(numbers) > 1]}": ", ".join(map(str, numbers))} if several else {}
        parts += [_pairs({**views, **facts}), _provenance(data.provenance)]
    return parts


def comparison(measures: Sequence[Measure], collection: Collection, *, sliders: bool = False) -> list[View]:
    """Views that compare the systems by these measures: scatter of the first two, ranks, correlations, scores.

    They are compared on the topics that all of them have. `sliders`: each number that the first two measures have is a
    slider of every view.
    """
    collection = restrict(collection, topics=covered_topics(collection, measures))
    views = _compared(measures, collection)
    if not sliders or len(views) < 2:
        return views
    made = [_moved(measures, collection, at, number, views) for at, number in _numbers(measures[:2], collection)]
    of_views = ([thumbs[at] for thumbs in made] for at in range(len(views)))
    moving = ([thumb for thumb in thumbs if thumb.lacks or offline.moves(thumb)] for thumbs in of_views)
    return [replace(view, sliders=thumbs) for view, thumbs in zip(views, moving, strict=True)]


def _numbers(measures: Sequence[Measure], collection: Collection) -> list[tuple[int, Parameter]]:
    """The numbers that measures have and that can be varied, each with the place of its measure."""
    return [
        (at, number)
        for at, measure in enumerate(measures)
        for number in parameters_of(measure, collection)
        if number.value is not None and len(number.round_values(offline.PLACES)) > 1
    ]


def _moved(
    measures: Sequence[Measure], collection: Collection, at: int, number: Parameter, views: Sequence[View]
) -> list[Thumb]:
    """One number of one measure as a slider, for each view."""
    names = [short_names(map(str, measures))[str(measure)] for measure in measures]
    label, own = f"{number.path} of {names[at]}", cast(float, number.value)
    sheets: dict[float, list[dict[str, Any]]] = {}
    for value in sorted({*number.round_values(offline.PLACES), own}):
        there = views if value == own else _views_at(measures, collection, at, number.path, value)
        if [len(view.shown) for view in there] == [len(view.shown) for view in views]:
            sheets[value] = [_sheet(view) for view in there]
    if len(sheets) < 2:
        return [offline.lacking(label, "elsewhere there is nothing to compare")] * len(views)
    texts, start = [repr(float(value)).removesuffix(".0") for value in sheets], list(sheets).index(own)
    return [offline.thumb(label, texts, start, [sheet[at] for sheet in sheets.values()]) for at in range(len(views))]


def _sheet(view: View) -> dict[str, Any]:
    return offline.sheet(view.headline, [item for _, item in view.shown], view.title, _captions(view))


def _views_at(measures: Sequence[Measure], collection: Collection, at: int, path: str, value: float) -> list[View]:
    """The views with a number of a measure changed; none where no such measure can be computed."""
    try:
        moved = [with_path(measure, path, value) if place == at else measure for place, measure in enumerate(measures)]
        return _compared(moved, collection)
    except InputError:
        return []


def _compared(measures: Sequence[Measure], collection: Collection) -> list[View]:
    scores = evaluate(measures, collection)
    names = short_names(scores)
    tables = {names[text]: frame for text, frame in scores.items()}
    if all(map(has_gaps, tables.values())):
        tables = meta.shared_part(tables)
    means = {name: frame.mean() for name, frame in tables.items()}
    shown = pd.DataFrame(means).loc[meta.best_first(next(iter(means.values()))).index]
    settings = {"Measures": ", ".join(scores)}
    about = caption("", f"{collection.title}, {collection.topics_in_words}", list(scores))
    if len(collection.systems) < 2 or len(means) < 2:
        return [View("Scores", settings, shown=[("Mean scores over topics", shown)], about=about)]
    styles = figures.system_styles(collection.systems)
    (x_name, x), (y_name, y) = list(means.items())[:2]
    taus = meta.correlation_matrix(tables).values
    intervals = {name: meta.rank_intervals(frame) for name, frame in tables.items() if meta.quickly_resampled(frame)}
    sentences = [meta.first_in_words(interval, name) for name, interval in intervals.items()]
    doubt = [interval.table for interval in intervals.values()] if len(intervals) == len(tables) else []
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
            "Ranks",
            shown=[("Ranks of the systems; lines that cross have swapped", bump)],
            headline=sentences,
            about=about,
        ),
        *([View(HOW_SURE, shown=_how_sure(*next(iter(intervals.items())), styles), about=about)] if intervals else []),
        View("Which measures agree", shown=[("Kendall's tau_b of every two measures", taus)], about=about),
        View("Scores", shown=[("Mean scores over topics", shown)], about=about),
    ]


def _how_sure(name: str, intervals: meta.RankIntervals, styles: figures.style.Styles) -> Shown:
    """How sure the ranks by one measure are: its figure, and the table of what it draws."""
    words = (
        f"{name}: ranks with their 95% intervals over {intervals.n_topics} topics, thick: of each system by itself, "
        "thin: of all together; filled: not separable from the leader. Bars: in which share of "
        f"{intervals.n_resamples:,} resamples of the topics a system is first"
    )
    columns = ["rank", "shared", "mean", "share_first", "rank_low", "rank_high", "all_low", "all_high"]
    columns += ["separable", "groups"]
    return [
        (words, figures.ranks_over_topics(intervals.table, styles)),
        (f"The same by {name}", intervals.table[columns]),
    ]


def versions() -> dict[str, str]:
    """What computed the numbers: Python and the packages that matter."""
    from evalcore import __version__

    listed = {"Python": platform.python_version(), "evalcore": __version__}
    return listed | {name: version(name) for name in PACKAGES}


def _view(view: View, number: int, data: str, title: str = "h2") -> str:
    captions = _captions(view)
    drawn = [at for at, (_, item) in enumerate(view.shown) if isinstance(item, draw.Drawn | pd.DataFrame)]
    first = next((at for at in drawn if isinstance(view.shown[at][1], draw.Drawn)), drawn[0] if drawn else None)
    inner = f"h{int(title[1]) + 1}"
    headline = _headline(view)
    finding = [headline if at == first else None for at in range(len(view.shown))]
    shown = [_shown(captions[at], item, at, finding[at], inner) for at, (_, item) in enumerate(view.shown)]
    settings = {**({"Data": data} if data else {}), **view.settings}
    parts = [headline if first is None else "", _paragraphs(view.note), _pairs(settings), _link(view.link), *shown]
    room = offline.MOST_BYTES - offline.REST - sum(len(part.encode()) for part in parts)
    thumbs = offline.sliders(offline.within(view.sliders, room), f"view-{number}")
    kind = "view has-first" if first is not None else "view"
    head = f"<{title}>{number}. {escape(view.title)}</{title}>"
    places = [at for at, (_, item) in enumerate(view.shown) if isinstance(item, Controls)]
    if places:
        parts[len(parts) - len(shown) + places[0]] = thumbs
    else:
        head += thumbs
    return f'<section class="{kind}" id="view-{number}">' + "\n".join([head, *parts, "</section>"])


def _headline(view: View) -> str:
    """What a view found, which stands over its first figure or table and goes with it."""
    text = "\n".join(map(escape, view.headline))
    return f'<p class="headline"><strong data-item="{offline.HEADLINE}">{text}</strong></p>' if text else ""


def _captions(view: View) -> list[str]:
    """What stands under each thing of a view."""
    return [under(title, view.about) for title, _ in view.shown]


def under(title: str, about: str) -> str:
    """What stands under a figure or table: what it is, then on which data, by which measures and set how.

    >>> under("Each mark is a system", "Collection: Health.")
    'Each mark is a system. Collection: Health.'
    """
    return f"{caption(title)} {about}".strip() if about else title


def _link(link: str) -> str:
    """How a view opens again. What is neither a path nor http could run script when clicked."""
    if link.startswith("/"):
        return f'<p class="link">Opens again after the address of the app: <code>{escape(link)}</code></p>'
    return f'<p><a href="{escape(link)}">Open this view again</a></p>' if link.startswith("http") else ""


def of_claim(study: Study) -> View:
    """A claim: its specification curve and what it depends on, under the verdict and the methods."""
    curve = figures.specification_curve(study.frame(), **study.drawn)
    shown: list[tuple[str, Item]] = [
        ("Each column is one way to measure; marks beneath say what it chose.", curve),
        ("What the effect depends on.", study.choices().set_index("source")),
    ]
    settings = {"Claim": str(study.claim), "Specifications": study.digest, "Seed": str(study.seed)}
    return View(
        "Claim", settings, shown=shown, headline=[study.sentence], note=study.methods(), about=study.caption("")
    )


def _paragraphs(text: str, kind: str = "note") -> str:
    return "".join(f'<p class="{kind}">{escape(part)}</p>' for part in text.split("\n") if part.strip())


def _shown(title: str, item: Item, at: int, finding: str | None = None, heading: str = "h3") -> str:
    """A thing of a view, with its number in it: by that a slider knows what it moves; the first has the finding."""
    if isinstance(item, str):
        return f'<div class="words" data-item="{at}">{_paragraphs(item, "sentence")}</div>' if item.strip() else ""
    if isinstance(item, Controls):
        return ""
    if isinstance(item, Heading):
        return f"<{heading}>{escape(item.text)}</{heading}>"
    if isinstance(item, Formula):
        return f'<div class="formula" tabindex="0" role="group" aria-label="Formula">{_formula(item.latex)}</div>'
    if isinstance(item, Folded):
        inside = [_shown("", text, at) for text in (item.text, *item.formulas)]
        return f"<details><summary>{escape(item.title)}</summary>{''.join(inside)}</details>"
    body = _table(item, title) if isinstance(item, pd.DataFrame) else _figure(item)
    again = _latex(item, title) if isinstance(item, pd.DataFrame) and len(item) <= MOST_ROWS else ""
    kind = "" if finding is None else ' class="first"'
    above = finding or ""
    return f'<figure{kind} data-item="{at}">{above}{body}<figcaption>{escape(title)}</figcaption>{again}</figure>'


def _formula(latex: str) -> str:
    """A formula set by the browser; what is no LaTeX as it was written."""
    try:
        return mathml(latex)
    except InputError:
        return f"<code>{escape(latex)}</code>"


def _latex(frame: pd.DataFrame, title: str) -> str:
    """The table once more, as a file that this one carries."""
    index = not isinstance(frame.index, pd.RangeIndex)
    text = latex_table(frame, title, label=title.partition(".")[0], index=index, decimals={})
    content = base64.b64encode(text.encode()).decode()
    return (
        f'<p><a class="file" download="table.tex" href="data:text/x-tex;base64,{content}">This table as LaTeX'
        '<span class="then" hidden>, as it was made</span></a></p>'
    )


def _figure(figure: draw.Drawn) -> str:
    shown = go.Figure(figure if isinstance(figure, go.Figure) else figure.to_dict())
    shown.update_layout(template="plotly_white", font={"family": "inherit"})
    if shown.layout.colorway is None:
        shown.update_layout(colorway=figures.style.PALETTE)
    # What its button saves is for a paper: vector, on white.
    config = {"displaylogo": False, "responsive": True, "toImageButtonOptions": {"format": "svg"}}
    text: str = to_html(shown, full_html=False, include_plotlyjs=False, config=config)
    return text


def _table(frame: pd.DataFrame, title: str) -> str:
    shown = frame.where(frame.notna(), np.nan)  # a gap of whatever kind is empty
    text: str = shown.to_html(float_format=lambda score: score_text(score, DECIMALS), border=0, na_rep="")
    # A header that says nothing is none: the corner over the names of the rows, and beside the name of the index.
    head, end, body = text.partition("</thead>")
    text = head.replace("<th></th>", "<td></td>") + end + body
    # What scrolls has to be reached by keys, and then has a name.
    return f'<div class="wide" tabindex="0" role="group" aria-label="{escape(title)}">{text}</div>'


def _provenance(provenance: Mapping[str, str]) -> str:
    """What the files of a collection say of themselves; files that say the same together."""
    files: dict[str, list[str]] = {}
    for name, text in provenance.items():
        files.setdefault(text, []).append(name)
    parts = [
        f"<details><summary>{escape(', '.join(names))}</summary><pre>{escape(text)}</pre></details>"
        for text, names in files.items()
    ]
    return "\n".join(["<h3>What the files say of themselves</h3>", *parts]) if parts else ""


def _pairs(settings: Mapping[str, str]) -> str:
    rows = "".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in settings.items())
    return f"<dl>{rows}</dl>" if rows else ""
