"""Pages of the site that are made from the code: one for every measure, and one of all functions."""

from __future__ import annotations

import doctest
import inspect
import json
import os
import re
import sys
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

import numpy as np  # noqa: E402
import plotly.graph_objects as go  # noqa: E402
from mkdocs.config.defaults import MkDocsConfig  # noqa: E402
from mkdocs.structure.files import File, Files  # noqa: E402
from mkdocs.structure.pages import Page  # noqa: E402
from mkdocs.utils import get_relative_url  # noqa: E402
from plotly.io import templates, to_html  # noqa: E402

import evalcore as ec  # noqa: E402
from evalcore import figures  # noqa: E402
from evalcore.cli.measures import facts  # noqa: E402
from evalcore.figures import plotly_script  # noqa: E402
from evalcore.figures.mathml import mathml  # noqa: E402
from evalcore.measures import Measure  # noqa: E402
from evalcore.notation.values import Value  # noqa: E402

# Groups of measures: their modules, a sample with the data that they need, and the measure with which their figures
# compare them.
GROUPS = {
    "One aspect": ("precision rbp dcg err q_measure compatibility logarithms", "health", "RBP(rho=0.8)"),
    "As trec_eval counts": ("retrieved trec_gains", "health", "AP"),
    "Readers (C/W/L)": ("cwl", "health", "RBP(rho=0.8)"),
    "Subtopics": ("diversity", "diversity", "nDCG"),
    "Combine labels, then score": ("urbp products toma", "health", "RBP(rho=0.8)"),
    "Score, then combine": ("aggregates", "health", "nDCG"),
    "Focused retrieval": ("focused", "manual", "iAP"),
    "Navigation": ("navigation", "site", "AP"),
    "Given scores": ("given_scores", "board", 'Score("score")'),
    "Answers": ("nuggets", "answers", "NuggetRecall(okay=0)"),
}
PARTS = {
    "data": "Collections",
    "measures": "Scores",
    "meta": "Rankings and what they rest on",
    "sensitivity": "Sensitivity",
    "explain": "Explanations",
    "claims": "Claims",
    "labels": "Labels",
    "leaderboard": "Leaderboards",
}
RANKS = 20
_UPWARDS = re.compile(r"\[(?P<text>[^\]]+)\]\((?P<target>\.\./[^)#]+)(?:#[^)]*)?\)")
PLOTLY = "assets/plotly.min.js"
# A script that the theme loads from another host, so that search works from a folder; its npm package is MIT.
SHIM, SHIM_FROM = "assets/iframe-worker.js", "https://unpkg.com/iframe-worker/shim"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Return the files with the pages made from the code added, and plotly.js for their figures."""
    made = {"measures/index.md": overview(), "api/index.md": reference(), PLOTLY: plotly_script.text()}
    made[SHIM] = (Path(__file__).parent / "iframe-worker.js").read_text(encoding="utf-8")
    made |= {f"measures/{cls.__name__}.md": measure_page(cls, group) for group in GROUPS for cls in of_group(group)}
    notebook = ROOT / "docs" / "tutorial.ipynb"
    made |= {"tutorial.md": read(notebook)} if notebook.is_file() else {}
    for name, content in made.items():
        files.append(File.generated(config, name, content=content))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Return Markdown in which links to files of the repository outside the site are text; other links stay."""
    folder = (ROOT / "docs" / page.file.src_uri).parent

    def text_alone(link: re.Match[str]) -> str:
        target = Path(os.path.normpath(folder / link["target"]))
        outside = target.is_file() and not target.is_relative_to(ROOT / "docs")
        return f"{link['text']} ({target.relative_to(ROOT)} in the repository)" if outside else link[0]

    return _UPWARDS.sub(text_alone, markdown)


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Return the page with the theme's script taken from the site, so that it loads nothing from other hosts."""
    return output.replace(SHIM_FROM, get_relative_url(SHIM, page.url))


def on_post_template(output_content: str, template_name: str, config: MkDocsConfig) -> str:
    """Return the page "not found" with the same change, for any address at which it may be served."""
    return output_content.replace(SHIM_FROM, f"/{SHIM}")


# --- measures ---------------------------------------------------------------------------------------------------------


@cache
def of_group(group: str) -> list[type[Measure]]:
    """Return the registered measures of a group, sorted by name."""
    modules = GROUPS[group][0].split()
    known = [cls for cls in Value.registry.values() if issubclass(cls, Measure)]
    return sorted((cls for cls in known if _family(cls) in modules), key=lambda cls: cls.__name__.lower())


def _family(cls: type[Measure]) -> str:
    """Return the module or folder of a measure, below `evalcore.measures` or else below `evalcore`."""
    return cls.__module__.removeprefix("evalcore.").removeprefix("measures.").split(".")[0]


def overview() -> str:
    """Return the page of all measures by group, one line each."""
    parts = ["# Measures", "A measure is written as a call; parameters that are left out have their defaults."]
    for group in GROUPS:
        rows = [f"| [`{cls.__name__}`]({cls.__name__}.md) | {cell(facts(cls)['help'])} |" for cls in of_group(group)]
        parts.append("\n".join([f"## {group}\n", "| measure | what it is |", "|---|---|", *rows]))
    return "\n\n".join(parts)


def measure_page(cls: type[Measure], group: str) -> str:
    """Return the page of a measure: description, formula, parameters, an example, source, figures."""
    about, measure = facts(cls), cls()
    text = "".join(
        part for part in doctest.DocTestParser().parse(inspect.cleandoc(cls.__doc__ or "")) if isinstance(part, str)
    )
    parts = [f"# {cls.__name__}", text.strip().replace("*", r"\*").replace("<", "&lt;")]
    if also := about["also"]:
        parts.append(f"Also `{'`, `'.join(also)}`.")
    parts.append(f"## Formula\n\n{mathml(_formula(measure, group))}")
    rows = [
        f"| `{one['name']}` | `{one['default']}` | {cell(one['range'])} | {cell(one['help'])} |"
        for one in about["parameters"]
    ]
    if rows:
        parts.append("\n".join(["## Parameters\n", "| name | default | range | meaning |", "|---|---|---|---|", *rows]))
    if about["examples"]:
        parts.append("## Example\n\n" + "\n".join(f"    {example}" for example in about["examples"]))
    parts.append(f"## Source\n\n{measure.reference}" if measure.reference else "")
    parts.append(f'<script src="../{PLOTLY}"></script>')
    parts += [f"## {title}\n\n{_drawn(figure)}" for title, figure in pictures(measure, group)]
    return "\n\n".join(filter(None, parts))


def pictures(measure: Measure, group: str) -> list[tuple[str, go.Figure]]:
    """Return (title, figure): scores by the rank of one relevant document (for one aspect), and a sample's systems."""
    _, sample, other = GROUPS[group]
    shown = []
    if group == "One aspect":
        scores = [measure.of([0] * at + [1] + [0] * (RANKS - 1 - at)) for at in range(RANKS)]
        bars = go.Figure(go.Bar(x=np.arange(1, RANKS + 1), y=scores))
        bars.update_layout(xaxis_title="rank of the one relevant document", yaxis_title=f"{measure}", height=280)
        shown.append((f"Its score of {RANKS} documents, one of them relevant", bars))
    collection = opened(sample)
    x, y = (ec.evaluate(one, collection).mean() for one in (other, str(measure)))
    styles = figures.system_styles(collection.systems)
    figure = figures.scatter(x, {str(measure): y}, styles, x_title=other, y_title=str(measure))
    return [*shown, (f"The systems of the sample {collection.title}, against {other}", figure)]


@cache
def opened(sample: str) -> ec.Collection:
    """Return a sample collection."""
    return ec.load(ROOT / "sample_data" / sample)


def _formula(measure: Measure, group: str) -> str:
    return measure.latex(opened(GROUPS[group][1]).assessments.scales)


def _drawn(figure: go.Figure) -> str:
    figure.layout.template, figure.layout.autosize = templates["plotly_white"], True
    return to_html(figure, include_plotlyjs=False, full_html=False, config={"displaylogo": False, "responsive": True})


def cell(text: object) -> str:
    return str(text).replace("|", r"\|").replace("*", r"\*").replace("<", "&lt;")


# --- functions --------------------------------------------------------------------------------------------------------


def reference() -> str:
    """Return the page of all public names, by package; mkdocstrings documents them."""
    parts = ["# Python", "`import evalcore as ec` has all of these. Frames of scores are topics x systems."]
    public = {name: value for name in ec.__all__ if callable(value := getattr(ec, name))}
    for package, title in PARTS.items():
        names = [
            f"::: {one.__module__}.{name}" for name, one in public.items() if one.__module__.split(".")[1] == package
        ]
        parts.append("\n\n".join([f"## {title}", *names]))
    rest = [name for name, one in public.items() if one.__module__.split(".")[1] not in PARTS]
    others = [f"::: {public[name].__module__}.{name}" for name in rest]
    return "\n\n".join([*parts, "## Structures, citing, errors", *others])


# --- the tutorial -----------------------------------------------------------------------------------------------------


def read(notebook: Path) -> str:
    """Return a notebook as Markdown: its texts, its code, and the texts of its output."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return "\n\n".join(filter(None, map(shown_cell, cells)))


def shown_cell(cell: dict[str, Any]) -> str:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        return source
    texts = [text for one in cell.get("outputs", ()) if (text := _said(one))]
    return "\n\n".join([f"```python\n{source}\n```", *(f"```text\n{re.sub('`{3,}', '', text)}\n```" for text in texts)])


def _said(output: dict[str, Any]) -> str:
    return "".join(output.get("text") or output.get("data", {}).get("text/plain") or ()).rstrip()
