"""Write the paragraph on measures and data for a paper's methods section, and check the data against it later."""

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

PACKAGES = ("numpy", "scipy")  # besides evalcore; numbers may depend on their versions
ORDER = {
    "score": "Rankings are ordered by score and, within ties, by document id, both descending.",
    "rank": "Rankings are ordered by their rank column.",
    "file": "Rankings keep the order of the lines in their files.",
}
LABELS = {"by-document": "On every aspect but the first, the first label of a document counts for all topics."}


def cite(
    measures: Measure | str | Sequence[Measure | str],
    collection: Collection,
    *,
    settings: Iterable[tuple[str, str]] = (),
    doubt: Iterable[str] = (),
    drawn: Mapping[str, object] | None = None,
    link: str = "",
) -> str:
    """Return a paragraph for a methods section: versions, data with fingerprint, measures with their papers, settings.

    `settings` are further settings as (name, text) pairs. `doubt` has the test, family and level of each statement on
    uncertainty. `drawn` gives the numbers of random draws and the seed, such as {"resamples": 2000, "seed": 0}. `link`
    is the address that opens the view again. Raises InputError for an unknown measure.

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
        "Confidence": "; ".join(doubt),
        "Drawn at random": ", ".join(f"{name} {value}" for name, value in (drawn or {}).items()),
    }
    return " ".join(
        [
            f"Computed with evalcore {__version__} ({_packages()}).",
            f"Data: {collection.title}, {about} (fingerprint {collection.fingerprint}).",
            *_conventions(parsed, collection),
            *(f"{name}: {words}." for name, words in parts.items() if words),
            *([f"The view can be reopened at {link}"] if link else []),
        ]
    )


def expect(collection: Collection, fingerprint: str, version: str = "") -> None:
    """Check that the data and the version of evalcore are the same as for earlier results.

    `fingerprint` is the earlier collection's fingerprint, or its beginning. Raises InputError if the data differ, and
    warns if the running version is not `version`, because results may differ.

    >>> import evalcore as ec
    >>> c = ec.collection({"a": {"q1": {"d1": 1.0}}}, {"relevance": {"q1": {"d1": 1}}})
    >>> ec.expect(c, fingerprint=c.fingerprint[:12])
    >>> ec.expect(c, fingerprint="0123")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    evalcore.errors.InputError: expected the data with fingerprint 0123, found another collection with fingerprint ...
    """
    from evalcore import __version__

    refuse_no_collection(collection)
    if not collection.fingerprint.startswith(fingerprint):
        other = f"another collection with fingerprint {collection.fingerprint}: {collection.summary}"
        raise InputError(f"expected the data with fingerprint {fingerprint}, found {other}")
    if version and version != __version__:
        warn(f"expected evalcore {version}, found {__version__}: numbers may differ", stacklevel=2)


@cache
def _packages() -> str:
    """Return the versions of PACKAGES as text, cached because the app cites every view and the lookup reads files."""
    return ", ".join(f"{name} {version_of(name)}" for name in PACKAGES)


def _unassessed(measures: Sequence[Measure]) -> str:
    """Return a sentence on how measures treat documents without a label; it names the measures if they differ."""
    by: dict[str, list[str]] = {}
    for measure in measures:
        by.setdefault(measure.unassessed, []).append(str(measure))
    if len(by) < 2:
        return "".join(f"Documents without a label {what}." for what in by)
    each = (f"{what} under {', '.join(names)}" for what, names in by.items())
    return f"Documents without a label {'; '.join(each)}."


def _conventions(measures: Sequence[Measure], collection: Collection) -> list[str]:
    """Return sentences on conventions: source of labels, order of rankings, unassessed documents, topics of means."""
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
    """Return a text on the topics that count in a measure's mean; "" if all count, or if columns are missing."""
    try:
        return coverage_text(collection, measure)
    except InputError:
        return ""
