"""As Python: code that uses `evalcore` to recompute what is on the screen."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore.data import Collection
from evalcore.data.packing import zip_of
from ui.address.coverage import measures_of
from ui.data import open_collection, texts
from ui.screen import calls
from ui.screen.items import Headline, Item, Metric, Sentence, Table
from ui.stage import report
from ui.widgets.download import download

ZIP = "your-files.zip"
HERE = ("from pathlib import Path", "", 'here = Path(__file__).parent if "__file__" in globals() else Path()')
PRINTED = (int, float, str, np.number, list, tuple, dict, pd.Series, pd.DataFrame)
MODULES = {"numpy": "np", "pandas": "pd"}  # other modules that calls may use


def show() -> None:
    """Show the Python code of this view: it opens the collection, applies the filter and makes the calls on the screen.

    If the calls make their own collection, the code opens none.
    """
    shown = report.calls_on_screen()
    collection = report.works_on()
    opened = ["import evalcore as ec", ""] if collection is None else _opened(collection)
    made = calls.lines([call for _, call in shown], [call for item, call in shown if _is_printed(item, call)])
    imports = [f"import {module} as {name}" for module, name in MODULES.items() if _names(name, made)]
    text = "\n".join([*imports, *opened, *made])
    st.code(text, language="python")
    if ZIP in text:
        download_files("as python")


def _is_printed(item: Item, made: calls.Call[Any]) -> bool:
    """Return True if the code prints the call's value: a number in a sentence, or a table, on the page."""
    return isinstance(item, Headline | Metric | Sentence | Table) and made.is_known and isinstance(made.value, PRINTED)


def _opened(collection: Collection) -> list[str]:
    here = open_collection.current()
    is_open = collection in (here, open_collection.whole()) or bool(measures_of(collection, here))
    return opening(collection) if is_open else sample_opening(collection)


def _names(name: str, made: Sequence[str]) -> bool:
    return any(re.search(rf"\b{name}\.", line) for line in made)


def download_files(key: str) -> None:
    """Draw a button to download an upload as one zip with its current description; nothing if no upload is open."""
    files, manifest = open_collection.uploaded(), open_collection.whole().manifest
    if files is not None:
        about = texts.WITH_UPLOADS
        look = {"icon": ":material/folder_zip:", "key": f"zip {key}"}
        download(f"Download {ZIP}", lambda: zip_of(files, manifest), ZIP, about, **look)


def sample_opening(collection: Collection) -> list[str]:
    """Return the lines of code that open this sample, whatever collection is open."""
    own, samples = collection.fingerprint, open_collection.SAMPLES
    folder = next(folder for name, folder in samples.items() if open_collection.sample(name).fingerprint == own)
    return ["import evalcore as ec", f"c = ec.load({_sample(folder)})", *_same(collection), ""]


def opening(collection: Collection) -> list[str]:
    """Return the lines of code that open the page's collection and apply the filter."""
    whole = open_collection.judged_whole(collection)
    judged = [f"c = ec.judged_by(c, {_quoted(collection.source)})"] if collection.source else []
    leading = collection.leading
    led = [f"c = ec.lead_by(c, {_quoted(leading)})"] if leading != open_collection.whole().leading else []
    lines = ["import evalcore as ec", *_loading(), *_same(open_collection.whole()), *judged, *led]
    systems = "" if len(collection.systems) == len(whole.systems) else f"systems={list(collection.systems)!r}"
    topics = "" if len(collection.topics) == len(whole.topics) else f"topics={list(collection.topics)!r}"
    covered = measures_of(collection, whole) if not systems else ()
    topics = f"topics=ec.covered_topics(c, {list(covered)!r})" if covered else topics
    some = ", ".join(filter(None, [systems, topics]))
    restricted = [f"c = ec.restrict(c, {some})"] if some else []
    averaged = ['c = ec.average_over(c, "retrieved")'] if collection.rankings.average_over == "retrieved" else []
    return [*lines, *restricted, *averaged, ""]


def _loading() -> list[str]:
    folder, correction = open_collection.folder(), open_collection.correction()
    if folder is None:
        return [*HERE, f"c = ec.load({_beside(ZIP)})  # downloaded below, or on the Data page"]
    if correction is None and open_collection.is_sample(folder):
        return [f"c = ec.load({_sample(folder)})"]
    where = _beside(_from_here(folder))
    if correction is None:
        return [*HERE, f"c = ec.load({where})"]
    return [*HERE, f"manifest = {text_lines(correction)}", f"c = ec.load({where}, manifest=manifest)"]


def _same(collection: Collection) -> list[str]:
    """Return the line of code that warns if different data or a different version would give different numbers."""
    return [f'ec.expect(c, fingerprint="{collection.fingerprint[:12]}", version="{ec.__version__}")']


def where(collection: Collection) -> str | None:
    """Return the path of the open collection for a command; None if it is filtered or its description was corrected."""
    folder, whole = open_collection.folder(), open_collection.judged_whole(collection)
    filtered = (collection.systems, collection.topics) != (whole.systems, whole.topics)
    if filtered or open_collection.correction() is not None:
        return None
    return ZIP if folder is None else _from_here(folder)


def _from_here(folder: Path) -> str:
    """Return a path as text: relative to the working directory if it is inside, otherwise unchanged."""
    here = Path.cwd()
    return str(folder.relative_to(here)) if folder.is_relative_to(here) else str(folder)


def _beside(path: str) -> str:
    return f"here / {_quoted(path)}"


def _sample(folder: Path) -> str:
    return f"ec.sample_folder({_quoted(folder.resolve().name)})"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=not text.isprintable())


class TextLines(str):
    """A text of several lines, whose `repr` is Python source over several lines."""

    def __repr__(self) -> str:
        return text_lines(str(self))


def text_lines(text: str) -> str:
    """Return a text as Python source over several lines; on one line if its backslashes or quotes require it."""
    return repr(text) if "\\" in text or '"""' in text or text.endswith('"') else f'"""\\\n{text}"""'
