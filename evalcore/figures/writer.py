"""The writer of documents: it fills the templates in the folder `templates`.

The templates escape all text. Only HTML made here (figures, by plotly; formulas as MathML) is not escaped.
"""

from __future__ import annotations

import base64
import json
from datetime import datetime
from functools import cache
from pathlib import Path as File
from types import SimpleNamespace
from typing import Any

import pandas as pd
import plotly.graph_objects as go
from plotly.io import to_html

from evalcore.common.latex import latex_table
from evalcore.errors import InputError, not_installed
from evalcore.figures import draw, plotly_script, style
from evalcore.figures.document import Document, Item, Latex, Section, in_texts, versions
from evalcore.figures.mathml import mathml
from evalcore.figures.path import MOST_BYTES, Path, within
from evalcore.figures.scripts import FOLLOWING, joined

try:
    import jinja2
except ImportError:
    raise not_installed("jinja2", "figures") from None

REST = 60_000  # bytes of scripts and styles
MOST_ROWS = 200  # of a table that is also written as LaTeX
SHARED = "plotly.min.js"  # file that the pages of a folder share
TEMPLATES = File(__file__).parent / "templates"


def one_file(document: Document, made: str, stage: bool) -> str:
    """Return a document as the text of one HTML file."""
    made = made or datetime.now().astimezone().strftime("%Y-%m-%d %H:%M %Z")
    numbers: dict[tuple[tuple[str, str], ...], list[int]] = {}
    for number, section in enumerate(document.sections, start=1):
        numbers.setdefault(tuple(section.data.facts.items()), []).append(number)
    data = [(document.sections[of[0] - 1].data, of) for of in numbers.values()]
    titles = dict.fromkeys(section.data.title for section in document.sections if section.data.title)
    sections = [
        _section(section, number, 2, section.data.title if len(data) > 1 else "")
        for number, section in enumerate(document.sections, start=1)
    ]
    text = " · ".join([*titles, made])
    library = plotly_script.text()
    return _page("report.html", document, library=library, sections=sections, data=data, made=text, stage=stage)


def folder(document: Document) -> dict[str, str]:
    """Map the name of each file of a document to its text; each section has a page of its own."""
    names = [f"{number}.html" for number in range(1, len(document.sections) + 1)]
    files = {"index.html": _page("index.html", document), SHARED: plotly_script.text()}
    for at, (name, section) in enumerate(zip(names, document.sections, strict=True)):
        back, onward = [(to, "Back") for to in names[:at][-1:]], [(to, "Next") for to in names[at + 1 : at + 2]]
        files[name] = _page(
            "one_section.html",
            document,
            shared=SHARED,
            ways=[*back, ("index.html", "All"), *onward],
            section=_section(section, at + 1, 1),
            title=section.title,
            number=at + 1,
            data=section.data,
        )
    return files


def _page(template: str, document: Document, **more: Any) -> str:
    return _templates().get_template(template).render(document=document, versions=versions(), **more)


def _section(section: Section, number: int, level: int, data: str = "") -> str:
    """Return the HTML of a section under a heading of this level; its paths get the bytes that its items leave free."""
    shown = [_shown(at, item, section.caption(item)) for at, item in enumerate(section.items)]
    first = next((item.at for kind in ("figure", "table") for item in shown if item.kind == kind), None)
    drawable = [item.key for item in section.items if item.kind in ("figure", "table")]

    def stays(path: Path) -> list[str]:
        return [key for key in drawable if key not in path.keys and key not in section.unmoved]

    def written(paths: list[Path]) -> str:
        given = {"section": section, "number": number, "level": level, "data": data, "shown": shown, "first": first}
        return _templates().get_template("section.html").render(given, paths=paths, stays=stays)

    room = MOST_BYTES - REST - len(written([]).encode())
    paths = [path for path in section.paths if path.drawn().lacks or path.moves]
    return written(within(paths, room))


def _shown(at: int, item: Item, caption: str) -> SimpleNamespace:
    """Return an item as the template needs it, with parts that are computed once."""
    html = _figure(item.thing) if isinstance(item.thing, draw.Drawn) else ""
    latex = _latex(item.thing, caption) if isinstance(item.thing, pd.DataFrame) and len(item.thing) <= MOST_ROWS else ""
    return SimpleNamespace(
        at=at, kind=item.kind, thing=item.thing, key=item.key, caption=caption, html=html, latex=latex
    )


def _figure(figure: draw.Drawn) -> str:
    shown = go.Figure(figure if isinstance(figure, go.Figure) else figure.to_dict())
    shown.update_layout(template="plotly_white", font={"family": "inherit"})
    if shown.layout.colorway is None:
        shown.update_layout(colorway=style.PALETTE)
    # What its button saves is for a paper: vector, on white.
    config = {"displaylogo": False, "responsive": True, "toImageButtonOptions": {"format": "svg"}}
    text: str = to_html(shown, full_html=False, include_plotlyjs=False, config=config)
    return text


def _latex(frame: pd.DataFrame, title: str) -> str:
    """Return a table as a LaTeX file in base64, for a data: address."""
    index = not isinstance(frame.index, pd.RangeIndex)
    return _base64(latex_table(frame, title, label=title.partition(".")[0], index=index, decimals={}).encode())


# --- what templates call ---------------------------------------------------------------------------------------------


@cache
def _templates() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    style, reader = (TEMPLATES / "document.css").read_text(encoding="utf-8"), joined(FOLLOWING / "offline.js")
    environment.globals |= {"style": style, "reader": reader, "shared": "", "library": "", "stage": False}
    environment.filters |= {"base64": _base64, "json": _json, "texts": in_texts, "mathml": _mathml}
    return environment


def _base64(content: bytes) -> str:
    return base64.b64encode(content).decode()


def _mathml(formula: Latex) -> str:
    """Return a formula as MathML, which the browser typesets; empty for invalid LaTeX."""
    try:
        return mathml(formula.latex)
    except InputError:
        return ""


def _json(texts: list[str]) -> str:
    return json.dumps(list(texts))
