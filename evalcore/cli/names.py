"""Texts of the command line -> measures, trec_eval's names included."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from evalcore.errors import DataError, did_you_mean, shorten

if TYPE_CHECKING:
    from evalcore.data.structures import Collection
    from evalcore.measures import Measure

TREC_EVAL = {"map": "AP", "ndcg": "nDCG", "recip_rank": "RR", "bpref": "Bpref"}
TREC_EVAL_AT = {"P": "P", "recall": "R", "ndcg_cut": "nDCG", "map_cut": "AP"}
_AT = re.compile(rf"({'|'.join(TREC_EVAL_AT)})[._](\d+(?:,\d+)*)")
_MARKS = re.compile(r""""(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[\[({]|[\])}]|,""")


def asked(options: argparse.Namespace, collection: Collection) -> dict[str, Measure]:
    """The measures that the arguments ask for, by the name that the output gives them; a first look if none.

    The name is the measure's text, or trec_eval's where it was asked for so.
    """
    found = dict(named for text in options.measure or () for named in read_measures(text))
    if found and options.set is None:
        return found
    return found | _set(options.set, collection)


def _set(name: str | None, collection: Collection) -> dict[str, Measure]:
    from evalcore.measures import suggestions

    sets = suggestions(collection)
    chosen = next(iter(sets)) if name is None else name
    if chosen not in sets:
        raise DataError(f"expected a set that fits this collection ({'; '.join(sets)}), found {chosen!r}", "--set")
    return {str(measure): measure for measure in sets[chosen]}


def read_measures(text: str) -> Iterator[tuple[str, Measure]]:
    """Names and measures: of one text, of several with commas between, or of the lines of @FILE."""
    if text.startswith("@"):
        yield from _from_file(text[1:])
    elif match := _AT.fullmatch(text):
        kind, cutoffs = match.groups()
        for cutoff in cutoffs.split(","):
            yield f"{kind}_{cutoff}", _parsed(f"{TREC_EVAL_AT[kind]}@{cutoff}")
    elif text in TREC_EVAL:
        yield text, _parsed(TREC_EVAL[text])
    elif len(parts := split(text)) > 1:
        for part in parts:
            yield from read_measures(part)
    else:
        measure = _parsed(*parts or [text])
        yield str(measure), measure


def _from_file(path: str) -> Iterator[tuple[str, Measure]]:
    from evalcore.cli.opening import read_text

    for number, line in enumerate(read_text(path, "measures").splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            yield from read_measures(line.strip())
        except DataError as error:
            raise DataError(error.problem, path, number) from None


def _parsed(text: str) -> Measure:
    from evalcore.measures import parse
    from evalcore.measures.values import Value

    try:
        return parse(text)
    except DataError as error:
        name = re.split(r"\W", text.strip())[0]
        known = name in Value.registry or name in Value.aliases or "did you mean" in error.problem
        hint = "" if known else did_you_mean(name, known_names())
        raise DataError(f"{error.problem}{hint}", error.where or f"measure {shorten(text)}") from None


def known_names() -> list[str]:
    """The names of all measures, other names and trec_eval's included."""
    from evalcore.measures import Measure
    from evalcore.measures.values import Value

    known = [name for name, cls in Value.registry.items() if issubclass(cls, Measure)]
    also = [name for name, of in Value.aliases.items() if of in known]
    return [*known, *also, *TREC_EVAL, *(f"{name}_10" for name in TREC_EVAL_AT)]


def split(text: str) -> list[str]:
    """Measures with commas between; commas inside parentheses, brackets and quotes do not count.

    >>> split('AP, CAM(nDCG, aspects=["a", "b"])')
    ['AP', 'CAM(nDCG, aspects=["a", "b"])']
    """
    depth, begin, parts = 0, 0, []
    for mark in _MARKS.finditer(text):
        depth += (mark[0] in "([{") - (mark[0] in ")]}")
        if mark[0] == "," and depth == 0:
            parts.append(text[begin : mark.start()])
            begin = mark.end()
    return [part.strip() for part in (*parts, text[begin:]) if part.strip()]
