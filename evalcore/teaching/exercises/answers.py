"""Vocabulary for computed answers of exercises. No part of a file is run as a program.

number      value = {measure, system, topic, of}     a score: the mean over topics, the score on a `topic`, or, with
                                                     `of`, the "least" or "most" over topics; without `system`,
                                                     the score of the winner
            list = {measure, labels}                 the score of one list of labels; {aspect = [...], ...} for several
            depth = {measure, share}                 the number of top ranks that together have this share of weight
            rank = {measure, system}                 the rank of a system; tied systems share the better rank; `by`,
                                                     `gaps` and `grouping` as for a winner
            tau, tau_ap = [measure, measure]         correlation of two rankings of systems (or of two lists of names)
            swaps = [measure, measure]               pairs of systems that two measures order differently
            wins = {systems = [a, b], measures}      number of the measures under which a is ahead of b
            ideal = {measure, aspects, topic}        the best score known to be attainable on the topic
            kappa = {sources = [a, b], aspect}       Cohen's kappa of two sources of labels
choice      winner = measure, or {measure, systems}  the winner among all or some systems; `by` is the mean or another
                                                     aggregate over topics such as Borda; `gaps` is the rule for
                                                     missing scores, and `grouping` names the groups of ByGroup
ranking     ranking = {measure, systems}             some systems, ordered by mean score
            ranking = {measure, lists}               lists of labels, {name = [...], ...}, ordered by score
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from evalcore.common.rounding import less
from evalcore.common.schema import FILLED, NUMBER, only
from evalcore.direction import directed
from evalcore.errors import InputError, did_you_mean, either, shorten
from evalcore.explain import upper_bounds
from evalcore.labels.judges import source_agreement
from evalcore.leaderboard import aggregate, aggregate_of, gap_rule_of, without_gaps
from evalcore.measures import Measure, evaluate, parse
from evalcore.meta import best_first, ranks, swapped_pairs, tau, tau_ap
from evalcore.structures.documents import Collection
from evalcore.teaching.exercises.model import Answer, Computed, Names, Order, Right

DEEPEST = 1000  # ranks among which a depth is sought
BELOW = 1e-3  # share of the weight that may lie further down
MOST_LISTED = 1000  # labels, names or measures in one list
OF = ("mean", "least", "most")
Read = Callable[[Any, str], Any]
Word = Callable[[Collection, Mapping[str, Any]], Right]


# --- read: what each word may be given ------------------------------------------------------------------------------


def read_answer(table: Any, where: str) -> Computed:
    """Return an answer to be computed, read from a table with one word of the vocabulary.

    Raises InputError if the word or its arguments do not fit.
    """
    if not isinstance(table, Mapping) or len(table) != 1:
        raise InputError(f"expected one of {either(list(_WORDS))}, found {shorten(str(table))}", where)
    word, given = next(iter(table.items()))
    if word not in _WORDS:
        raise InputError(f"expected one of {either(list(_WORDS))}, found {word!r}{did_you_mean(word, _WORDS)}", where)
    needed, optional, short, _ = _WORDS[word]
    place, known = f"{where}, {word}", {**needed, **optional}
    if not isinstance(given, Mapping):
        if not short:
            raise InputError(f"expected a table of {', '.join(known)}, found {shorten(str(given))}", place)
        given = {short: given}
    only(given, known, place)
    if not given.keys() >= needed.keys():
        raise InputError(f"expected {' and '.join(needed)}, found {', '.join(given) or 'nothing'}", place)
    if word == "ranking" and len(given) != 2:
        raise InputError("expected `measure` and either `systems` or `lists`", place)
    return Computed(word, tuple((key, known[key](value, f"{place}, {key}")) for key, value in given.items()), where)


def read_text(value: Any, where: str) -> str:
    return str(FILLED.read(value, where))


def read_number(value: Any, where: str) -> float:
    return float(NUMBER.read(value, where))


def read_texts(value: Any, where: str, least: int = 1, most: int = MOST_LISTED) -> tuple[str, ...]:
    """Return a list of `least` to `most` distinct texts as a tuple. Raises InputError for any other value."""
    if not isinstance(value, list) or not least <= len(value) <= most:
        count = f"{least}" if least == most else f"{least} to {most:,}"
        raise InputError(f"expected a list of {count} strings, found {shorten(str(value))}", where)
    texts = tuple(read_text(text, where) for text in value)
    if len(set(texts)) < len(texts):
        raise InputError(f"expected each string once, found {shorten(str(value))}", where)
    return texts


_two, _several = partial(read_texts, least=2, most=2), partial(read_texts, least=2)


def _measure(value: Any, where: str) -> str:
    try:
        return str(parse(read_text(value, where)))
    except InputError as error:
        raise InputError(error.problem, where) from None


def _measures(texts: Any, where: str) -> tuple[str, ...]:
    return tuple(_measure(text, where) for text in read_texts(texts, where))


def _rankings(value: Any, where: str) -> tuple[Any, ...]:
    """Return two measures, or two lists of the same names in different orders. Raises InputError for other values."""
    if isinstance(value, list) and len(value) == 2 and all(isinstance(item, list) for item in value):
        first, other = (read_texts(item, where, least=2) for item in value)
        if set(first) != set(other):
            raise InputError(f"expected the same names in both lists, found {shorten(str(value))}", where)
        return first, other
    return tuple(_measure(text, where) for text in _two(value, where))


def _labels(value: Any, where: str) -> tuple[tuple[str, tuple[float, ...]], ...]:
    """Read one list of labels, or lists of labels by aspect; return (aspect, labels) pairs, with "" for one list."""
    lists = value if isinstance(value, Mapping) else {"": value}
    labels = tuple((str(name), _numbers(item, where)) for name, item in lists.items())
    if not labels or len({len(texts) for _, texts in labels}) > 1:
        raise InputError("expected the same number of labels for each aspect", where)
    return labels


def _lists(value: Any, where: str) -> tuple[tuple[str, tuple[float, ...]], ...]:
    if not isinstance(value, Mapping) or len(value) < 2:
        raise InputError(f"expected two or more named lists, found {shorten(str(value))}", where)
    return tuple((str(name), _numbers(item, where)) for name, item in value.items())


def _numbers(value: Any, where: str) -> tuple[float, ...]:
    if not isinstance(value, list) or not 0 < len(value) <= MOST_LISTED:
        raise InputError(f"expected a list of 1 to {MOST_LISTED:,} numbers, found {shorten(str(value))}", where)
    return tuple(read_number(number, where) for number in value)


def _share(value: Any, where: str) -> float:
    share = read_number(value, where)
    if not 0 < share < 1:
        raise InputError(f"expected a number between 0 and 1, found {share:g}", where)
    return share


def _of(value: Any, where: str) -> str:
    if value not in OF:
        raise InputError(f"expected one of {either(OF)}, found {shorten(str(value))}", where)
    return str(value)


# --- compute --------------------------------------------------------------------------------------------------------


def compute(answer: Answer, collection: Collection) -> Right:
    """Return the right answer on a collection.

    Raises InputError if the collection lacks something that the answer needs, or if the answer is undefined, such as
    tau of a measure that ties all systems.

    >>> from evalcore.data.small_collections import small_collection
    >>> c = small_collection(pd.DataFrame({"relevance": [1, 0]}, index=["a", "b"]), {"s": ["a", "b"], "t": ["b", "a"]})
    >>> compute(read_answer({"winner": "RBP"}, "here"), c), compute(read_answer({"tau": ["RBP", "P@1"]}, "here"), c)
    (Names(names=('s',)), 1.0)
    """
    if not isinstance(answer, Computed):
        return answer
    try:
        result = _WORDS[answer.word][3](collection, dict(answer.given))
    except InputError as error:
        raise InputError(str(error), answer.where) from None
    if isinstance(result, float) and not np.isfinite(result):
        raise InputError(f"expected a number, found none for {answer.word} on this collection", answer.where)
    return result


def along(answer: Computed, parameter: str, value: float) -> Computed:
    """Return the answer with a new value of a parameter in each of its measures that has the parameter.

    Raises InputError if no measure has it, or if the value is out of range.
    """
    set_to(answer, parameter)
    moved = tuple((key, _moved(key, given, parameter, value)) for key, given in answer.given)
    return Computed(answer.word, moved, answer.where)


def set_to(answer: Computed, parameter: str) -> float:
    """Return a parameter's value in the first measure of the answer that has it. Raises InputError if none has it."""
    for text in measures_in(answer):
        measure = parse(text)
        if parameter in measure.parameters():
            return float(getattr(measure, parameter))
    raise InputError(f"expected a measure with the parameter {parameter}, found none", answer.where)


def measures_in(answer: Answer | None) -> tuple[str, ...]:
    """Return the texts of the measures from which an answer is computed."""
    if not isinstance(answer, Computed):
        return ()
    return tuple(text for key, value in answer.given for text in _texts_of(key, value))


def _texts_of(key: str, value: Any) -> tuple[str, ...]:
    """Return the texts of measures in one argument of an answer."""
    if key == "measure":
        return (value,)
    return tuple(text for text in value if isinstance(text, str)) if key in ("measures", "rankings") else ()


def _moved(key: str, given: Any, parameter: str, value: float) -> Any:
    texts = _texts_of(key, given)
    moved = tuple(_at(text, parameter, value) for text in texts)
    return given if not texts else moved[0] if isinstance(given, str) else moved


def _at(text: str, parameter: str, value: float) -> str:
    measure = parse(text)
    return str(measure.with_(**{parameter: value})) if parameter in measure.parameters() else text


def _known(names: Sequence[str], known: Sequence[str], what: str) -> None:
    for name in names:
        if name not in known:
            raise InputError(f"expected {what} of the collection, found {name!r}{did_you_mean(name, known)}")


def _value(collection: Collection, arguments: Mapping[str, Any]) -> float:
    if "topic" in arguments and "of" in arguments:
        raise InputError("expected either `topic` or `of`, found both")
    scores = evaluate(arguments["measure"], collection)
    system = arguments.get("system") or str(best_first(scores.mean()).index[0])
    _known([system], collection.systems, "a system")
    if "topic" in arguments:
        _known([arguments["topic"]], collection.topics, "a topic")
        return float(scores[system][arguments["topic"]])
    column = scores[system]
    return float({"mean": column.mean, "least": column.min, "most": column.max}[arguments.get("of", "mean")]())


def _list(_: Collection, arguments: Mapping[str, Any]) -> float:
    measure, labels = parse(arguments["measure"]), dict(arguments["labels"])
    if "" in labels:
        return measure.of(labels[""])
    if set(labels) != set(measure.columns):
        wanted, found = (", ".join(names) for names in (measure.columns, labels))
        raise InputError(f"expected labels of {wanted} for {measure}, found labels of {found}")
    return measure.of(*(labels[name] for name in measure.columns))


def _depth(_: Collection, arguments: Mapping[str, Any]) -> float:
    measure, share = parse(arguments["measure"]), arguments["share"]
    whole, deeper = (measure.of([1.0] * count) for count in (DEEPEST, 2 * DEEPEST))
    if less((1 + BELOW) * whole, deeper):
        raise InputError(f"expected a measure with its weight on the first {DEEPEST:,} ranks, found {measure}")
    for rank in range(1, DEEPEST + 1):
        if not less(measure.of([1.0] * rank), share * whole):
            return float(rank)
    raise InputError(f"expected a measure whose score grows from rank to rank, found {measure}")


def _rank(collection: Collection, arguments: Mapping[str, Any]) -> float:
    _known([arguments["system"]], collection.systems, "a system")
    place = ranks(standing(collection, arguments).dropna())
    if arguments["system"] not in place.index:
        raise InputError(
            f"expected a system that {arguments.get('gaps', 'the rule')} keeps, found {arguments['system']!r}"
        )
    return float(place[arguments["system"]])


def _pair(collection: Collection, arguments: Mapping[str, Any]) -> tuple[pd.Series, pd.Series]:
    """Return two rankings as scores, from two measures or from two lists of names."""
    first, other = arguments["rankings"]
    if isinstance(first, str):
        return evaluate(first, collection).mean(), evaluate(other, collection).mean()
    places = np.arange(len(first), 0, -1, dtype=float)
    return directed(pd.Series(places, list(first)), "high"), directed(pd.Series(places, list(other)), "high")


def _of_pair(number: Callable[[pd.Series, pd.Series], float]) -> Word:
    """Return the function that computes a word's number from two rankings; the first ranking is the reference."""
    return lambda collection, arguments: float(number(*_pair(collection, arguments)))


def _wins(collection: Collection, arguments: Mapping[str, Any]) -> float:
    a, b = arguments["systems"]
    _known((a, b), collection.systems, "a system")
    places = (ranks(evaluate(measure, collection).mean()) for measure in arguments["measures"])
    return float(sum(bool(place[a] < place[b]) for place in places))


def _ideal(collection: Collection, arguments: Mapping[str, Any]) -> float:
    _known([arguments["topic"]], collection.topics, "a topic")
    _known(arguments["aspects"], collection.aspects, "an aspect")
    return float(
        upper_bounds(arguments["measure"], collection.assessments, arguments["aspects"]).loc[arguments["topic"]].max()
    )


def _kappa(collection: Collection, arguments: Mapping[str, Any]) -> float:
    agreement = source_agreement(collection, arguments["sources"], arguments.get("aspect"))
    return float(agreement.coefficient("kappa").estimate)


def standing(collection: Collection, arguments: Mapping[str, Any]) -> pd.Series:
    """Return the scores that decide the winner: means over topics or another aggregate; nan for a system left out."""
    scores = without_gaps(evaluate(arguments["measure"], collection), arguments.get("gaps", "KeepGaps()"))
    if (grouping := arguments.get("grouping")) is not None:
        _known([grouping], list(collection.assessments.groups), "a grouping of the topics")
    groups = dict(zip(collection.topics, collection.assessments.groups.get(grouping or "", ()), strict=False))
    return aggregate(scores, arguments.get("by", "Mean()"), groups or None)


def _winner(collection: Collection, arguments: Mapping[str, Any]) -> Names:
    some = list(arguments.get("systems", collection.systems))
    _known(some, collection.systems, "a system")
    means = standing(collection, arguments)
    place = ranks(means[[name for name in some if name in means.index]].dropna())
    return Names(tuple(map(str, place.index[place == 1])))


def _ranking(collection: Collection, arguments: Mapping[str, Any]) -> Order:
    measure: Measure = parse(arguments["measure"])
    if "lists" in arguments:
        return order_of(
            directed(pd.Series({name: measure.of(ranking) for name, ranking in arguments["lists"]}), measure.good)
        )
    _known(arguments["systems"], collection.systems, "a system")
    return order_of(evaluate(arguments["measure"], collection).mean()[list(arguments["systems"])])


def order_of(scores: pd.Series) -> Order:
    """Return scores as a ranking with ties.

    >>> order_of(pd.Series({"a": 0.1 + 0.2, "b": 0.5, "c": 0.3})).groups
    (('b',), ('a', 'c'))
    """
    place = ranks(scores)
    return Order(tuple(tuple(map(str, place.index[place == rank])) for rank in sorted(place.unique())))


_Word = tuple[Mapping[str, Read], Mapping[str, Read], str, Word]
_OVER_TOPICS: Mapping[str, Read] = {
    "by": lambda text, where: str(aggregate_of(read_text(text, where))),
    "gaps": lambda text, where: str(gap_rule_of(read_text(text, where))),
    "grouping": read_text,
}
# Required and optional arguments, the argument that a plain value stands for ("" for none), and the function.
_WORDS: Mapping[str, _Word] = {
    "value": ({"measure": _measure}, {"system": read_text, "topic": read_text, "of": _of}, "", _value),
    "list": ({"measure": _measure, "labels": _labels}, {}, "", _list),
    "depth": ({"measure": _measure, "share": _share}, {}, "", _depth),
    "rank": ({"measure": _measure, "system": read_text}, _OVER_TOPICS, "", _rank),
    "tau": ({"rankings": _rankings}, {}, "rankings", _of_pair(tau)),
    "tau_ap": ({"rankings": _rankings}, {}, "rankings", _of_pair(lambda reference, other: tau_ap(other, reference))),
    "swaps": ({"rankings": _rankings}, {}, "rankings", _of_pair(lambda one, other: len(swapped_pairs(one, other)))),
    "wins": ({"systems": _two, "measures": _measures}, {}, "", _wins),
    "ideal": ({"measure": _measure, "aspects": read_texts, "topic": read_text}, {}, "", _ideal),
    "kappa": ({"sources": _two}, {"aspect": read_text}, "sources", _kappa),
    "winner": ({"measure": _measure}, {"systems": _several, **_OVER_TOPICS}, "measure", _winner),
    "ranking": ({"measure": _measure}, {"systems": _several, "lists": _lists}, "", _ranking),
}
MAKES = {"winner": "choice", "ranking": "ranking"} | dict.fromkeys(_WORDS.keys() - {"winner", "ranking"}, "number")
