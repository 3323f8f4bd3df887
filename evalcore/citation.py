"""A paragraph of methods for a paper, of any measures on any collection."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.metadata import version as version_of
from warnings import warn

from evalcore.data import Collection
from evalcore.data.averages import lacked_text
from evalcore.errors import InputError, refuse_no_collection
from evalcore.measures import Measure, coverage_text, parse

PACKAGES = ("numpy", "scipy")  # beside evalcore: numbers may depend on them
ORDER = {
    "score": "Rankings are ordered by score, ties by document id, descending.",
    "rank": "Rankings are ordered by their rank column.",
    "file": "Rankings have the order of their files.",
}
LABELS = {"by-document": "A document's label is the one in its first line, whatever the topic."}


def cite(
    measures: Measure | str | Sequence[Measure | str],
    collection: Collection,
    *,
    settings: Iterable[tuple[str, str]] = (),
    doubt: Iterable[str] = (),
    drawn: Mapping[str, object] | None = None,
    link: str = "",
) -> str:
    """A paragraph for a methods section: versions, data with their fingerprint, measures with their papers, settings.

    `settings`: what else was set, each by its name and in words. `doubt`: test, family and level of each statement of
    doubt. `drawn`: what was drawn at random and how, as
    {"resamples": 2000, "seed": 0}. `link`: how the view opens again. Raises InputError for a measure with a mistake.

    >>> import evalcore as ec
    >>> c = ec.collection({"a": {"q1": {"d1": 1.0}}}, {"relevance": {"q1": {"d1": 1}}})
    >>> "Measure: RBP(rho=0.8) (Moffat & Zobel 2008)." in ec.cite("RBP(rho=0.8)", c)
    True
    """
    from evalcore import __version__

    refuse_no_collection(collection)
    several = [measures] if isinstance(measures, Measure | str) else list(measures)
    parsed = [measure if isinstance(measure, Measure) else parse(measure) for measure in several]
    named = [f"{measure} ({measure.reference})" if measure.reference else str(measure) for measure in parsed]
    about = collection.summary.replace(" · ", ", ")
    parts = {
        "Measures" if len(named) > 1 else "Measure": "; ".join(named),
        "Settings": "; ".join(f"{name}: {words}" for name, words in settings),
        "Doubt": "; ".join(doubt),
        "Drawn at random": ", ".join(f"{name} {value}" for name, value in (drawn or {}).items()),
    }
    return " ".join(
        [
            f"Computed with evalcore {__version__} ({_packages()}).",
            f"Data: {collection.title}, {about} (fingerprint {collection.fingerprint}).",
            *_conventions(parsed, collection),
            *(f"{name}: {words}." for name, words in parts.items() if words),
            *([f"The view opens again at {link}"] if link else []),
        ]
    )


def expect(collection: Collection, fingerprint: str, version: str = "") -> None:
    """Check that data and version are those of earlier numbers.

    `fingerprint`: of the collection then, or its beginning. Raises InputError if the data differ, and warns where
    this is another version than `version`, which may give other numbers.

    >>> import evalcore as ec
    >>> c = ec.collection({"a": {"q1": {"d1": 1.0}}}, {"relevance": {"q1": {"d1": 1}}})
    >>> ec.expect(c, fingerprint=c.fingerprint[:12])
    >>> ec.expect(c, fingerprint="0123")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    evalcore.errors.InputError: expected the data with fingerprint 0123, found another collection with ...
    """
    from evalcore import __version__

    refuse_no_collection(collection)
    if not collection.fingerprint.startswith(fingerprint):
        other = f"another collection with {collection.fingerprint}: {collection.summary}"
        raise InputError(f"expected the data with fingerprint {fingerprint}, found {other}")
    if version and version != __version__:
        warn(f"expected evalcore {version}, found {__version__}: numbers may differ", stacklevel=2)


@cache
def _packages() -> str:
    """Looked up once: each look reads files, and the app cites every view that it shows."""
    return ", ".join(f"{name} {version_of(name)}" for name in PACKAGES)


def _unassessed(measures: Sequence[Measure]) -> str:
    """Say how measures treat documents without a label; if measures differ, by measure."""
    by: dict[str, list[str]] = {}
    for measure in measures:
        by.setdefault(measure.unassessed, []).append(str(measure))
    if len(by) < 2:
        return "".join(f"Documents without a label {what}." for what in by)
    each = (f"{what} by {', '.join(names)}" for what, names in by.items())
    return f"Documents without a label {'; '.join(each)}."


def _conventions(measures: Sequence[Measure], collection: Collection) -> list[str]:
    """List the conventions that hold for every measure: source of labels, order, unassessed documents, topics of a
    mean.
    """
    manifest = tomllib.loads(collection.manifest)
    several = len(collection.source_names) > 1
    source = f"Labels are by {collection.source or collection.default_source}." if several else ""
    ordered = ORDER.get(manifest.get("order", ""), "") if "runs" in collection.has else ""
    read = [ordered, LABELS.get(manifest.get("labels", ""), "")]
    lacked = lacked_text(collection.rankings, collection.topics)
    lacked = f"{lacked[0].upper()}{lacked[1:].rstrip('.')}." if lacked else ""
    covered = [f"The mean of {measure} is {text}." for measure in measures if (text := _coverage(measure, collection))]
    unassessed = _unassessed(measures) if collection.aspects and "passages" not in collection.more else ""
    return [text for text in (source, *read, unassessed, lacked, *covered) if text]


def _coverage(measure: Measure, collection: Collection) -> str:
    """Topics of a mean if they are not all, in words; "" also for a measure whose columns are missing."""
    try:
        return coverage_text(collection, measure)
    except InputError:
        return ""
