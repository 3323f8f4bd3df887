"""Measures from texts of the command line, including trec_eval's names."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

import evalcore as ec
from evalcore.cli.base import UsageError
from evalcore.cli.opening import read_text
from evalcore.errors import InputError, did_you_mean, shorten
from evalcore.notation.trec_eval import AT, BY, SETS, TREC_EVAL, TREC_EVAL_AT, TREC_EVAL_BY, names_of_trec_eval
from evalcore.notation.values import Value

Adapt: TypeAlias = Callable[["ec.Measure"], "ec.Measure"]

_MARKS = re.compile(r""""(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[\[({]|[\])}]|,""")


def asked(options: argparse.Namespace, collection: ec.Collection) -> dict[str, ec.Measure]:
    """Return the measures that the arguments name, by their names in the output; by default a few common ones.

    A name is the measure's text, or trec_eval's name if that was used.
    """
    adapt = adapting(options)
    measures = dict(named for text in options.measure or () for named in read_measures(text, adapt))
    if not measures or options.set is not None:
        measures |= _set(options, collection)
    return measures


def adapting(options: argparse.Namespace) -> Adapt:
    """Return a function that applies -l and -J to a measure; a `rel` in the measure's text is not changed."""

    def adapt(measure: ec.Measure) -> ec.Measure:
        if options.rel is not None:
            measure = _changed(measure, "rel", options.rel)
        return _judged_only(measure) if options.judged_only else measure

    return adapt


def _judged_only(measure: ec.Measure) -> ec.Measure:
    """Return the measure with unassessed documents skipped. Raises UsageError if a part of it cannot skip them."""
    for part in _parts(measure):
        if "judged_only" not in part.parameters() and not isinstance(part, ec.measures.Bpref):
            problem = "expected measures that can skip unassessed documents (judged_only), found"
            raise UsageError(f"-J/--judged-only: {problem} {part}")
    return _changed(measure, "judged_only", True)


def _changed(measure: ec.Measure, name: str, value: object) -> ec.Measure:
    """Return the measure with a new value for a parameter, unless the parameter already differs from its default.

    If the measure combines other measures, the parameter is changed in each of them.
    """
    from evalcore.measures.base import Around

    if isinstance(measure, Around):
        return measure.with_(measure=_changed(measure.measure, name, value))
    if isinstance(measure, ec.measures.Aggregate):
        if isinstance(measure.base, ec.Measure):
            return measure.with_(base=_changed(measure.base, name, value))
        return measure.with_(base=tuple(_changed(part, name, value) for part in measure.base))
    unset = name in measure.parameters() and getattr(measure, name) == measure.parameters()[name].default
    return measure.with_(**{name: value}) if unset else measure


def _parts(measure: ec.Measure) -> Iterator[ec.Measure]:
    """Yield the measures that a measure combines; a measure that combines none is its own part."""
    from evalcore.measures.base import Around

    for part in measure.combined:
        yield from _parts(part.measure) if isinstance(part, Around) else (part,)


def _set(options: argparse.Namespace, collection: ec.Collection) -> dict[str, ec.Measure]:
    sets, adapt = ec.measures.suggestions(collection), adapting(options)
    if not sets:
        raise InputError("expected runs or scores of systems, found only labels", collection.title)
    chosen = next(iter(sets)) if options.set is None else options.set
    if chosen not in sets:
        raise InputError(f"expected a set that fits this collection ({'; '.join(sets)}), found {chosen!r}", "--set")
    return {str(measure): measure for measure in map(adapt, sets[chosen])}


def read_measures(text: str, adapt: Adapt = lambda measure: measure) -> Iterator[tuple[str, ec.Measure]]:
    """Yield (name, measure) pairs from a text: one measure, several separated by commas, or the lines of @FILE.

    `adapt` applies options to each measure.
    """
    if text.startswith("@"):
        yield from _from_file(text[1:], adapt)
    elif trec_eval := names_of_trec_eval(text):
        yield from ((name, adapt(_parsed(ours))) for name, ours in trec_eval)
    elif len(parts := _with_cutoffs(split(text))) > 1:
        for part in parts:
            yield from read_measures(part, adapt)
    elif parts and parts[0] != text:
        yield from read_measures(parts[0], adapt)
    else:
        measure = adapt(_parsed(text))
        yield str(measure), measure


def _with_cutoffs(parts: Iterable[str]) -> list[str]:
    """Return the parts of a text, with cut-offs after a comma joined to their measure.

    >>> _with_cutoffs(["map", "P.5", "10", "RBP"])
    ['map', 'P.5,10', 'RBP']
    """
    texts: list[str] = []
    for part in parts:
        is_number = re.fullmatch(r"\d*\.?\d+", part) is not None
        if is_number and texts and (AT.fullmatch(texts[-1]) or BY.fullmatch(texts[-1])):
            texts[-1] += f",{part}"
        else:
            texts.append(part)
    return texts


def _from_file(path: str, adapt: Adapt) -> Iterator[tuple[str, ec.Measure]]:
    for number, line in enumerate(read_text(path, "measures").splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            yield from read_measures(line.strip(), adapt)
        except InputError as error:
            raise InputError(error.problem, path, number) from None


def _parsed(text: str) -> ec.Measure:
    try:
        return ec.parse(text)
    except InputError as error:
        name = re.split(r"\W", text.strip())[0]
        known = name in Value.registry or name in Value.aliases or "did you mean" in error.problem
        hint = "" if known else did_you_mean(name, known_names())
        raise InputError(f"{error.problem}{hint}", error.where or f"measure {shorten(text)}") from None


def known_names() -> list[str]:
    """Return the names of all measures, including aliases and trec_eval's names."""
    measure = ec.Measure  # its import fills the registry
    known = [name for name, cls in Value.registry.items() if issubclass(cls, measure)]
    also = [name for name, of in Value.aliases.items() if of in known]
    trec_eval = [*SETS, *TREC_EVAL, *TREC_EVAL_AT, *TREC_EVAL_BY, *(f"{name}_10" for name in TREC_EVAL_AT)]
    return list(dict.fromkeys([*known, *also, *trec_eval]))


def split(text: str) -> list[str]:
    """Return the texts of measures separated by commas; commas in parentheses, brackets and quotes do not separate.

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
