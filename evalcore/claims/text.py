"""Specifications as TOML, to keep, to share, and to cite by a digest.
`sources = ["nist", "umbrela", "majority"]` is a choice of the source of labels; this example shows the other kinds.

title = "Does readability matter?"
most = 2500                             # specifications; if there are more, a sample is drawn
seed = 0

[[choice]]
name = "measure"
measures = ["AP", "RBP", "uRBP1"]
weights = [1, 1, 2]                     # how much each option counts; left out: equally

[[choice]]
name = "readability threshold"
parameter = "threshold"
values = "10 to 20, 6 steps"            # or a list of numbers, texts, lists; "none" leaves it out
only = ["uRBP1"]                        # kinds or texts of measures; left out: all that have it

[[choice]]
name = "aspect weights"
aspect_weights = [{ relevance = 1, understandability = 1 }, { relevance = 2, understandability = 1 }]

[[choice]]
name = "unassessed documents"
unassessed = ["0", "left out", "1"]

[[choice]]
name = "topics"
topics = ["all", "half 1", "other half 1", { name = "hard", topics = ["3", "17"] }]
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from evalcore.claims.choices import (
    MOST,
    Choice,
    Kind,
    Option,
    OptionValue,
    Specifications,
    as_option_value,
    number_range,
    option_name,
)
from evalcore.common.schema import LIST, NUMBERS, TABLE, TEXT, TEXTS, WHOLE, Expected, check, list_of
from evalcore.data.toml_text import read_toml, toml_text
from evalcore.errors import InputError, shorten

FILE_NAME = "specs.toml"
_KINDS: Mapping[str, Kind] = {
    "measures": "measures",
    "parameter": "parameter",
    "aspect_weights": "aspect weights",
    "sources": "source",
    "unassessed": "unassessed",
    "topics": "topics",
}
_CHOICES = list_of(TABLE, "tables, [[choice]]")
_TOP = {"title": TEXT, "most": WHOLE, "seed": WHOLE, "choice": _CHOICES}
_NAME = Expected("a name", lambda value: isinstance(value, str) and value != "")
_VALUES = Expected("a list or a range", lambda value: isinstance(value, list | str))
_COMMON = {"name": _NAME, "names": TEXTS, "weights": NUMBERS, "only": TEXTS}
NONE = "none"


def parse_specifications(text: str, where: str = FILE_NAME) -> Specifications:
    """Parse specifications from TOML. Raises InputError with the file, choice, expected and actual value."""
    content = read_toml(text, where)
    check(content, _TOP, where)
    entries = content.get("choice", [])
    choices = tuple(_choice(entry, at, where) for at, entry in enumerate(entries, start=1))
    try:
        return Specifications(choices, content.get("title", ""), content.get("most", MOST), content.get("seed", 0))
    except InputError as error:
        raise InputError(error.problem, where) from None


def _choice(entry: Mapping[str, Any], at: int, where: str) -> Choice:
    name = entry.get("name")
    place = f"{where}, choice {name!r}" if isinstance(name, str) else f"{where}, choice {at}"
    if not isinstance(name, str) or not name:
        raise InputError("expected a name, found none", place)
    kinds = [key for key in _KINDS if key in entry]
    if len(kinds) != 1:
        raise InputError(f"expected one of {', '.join(_KINDS)}, found {' and '.join(kinds) or 'none'}", place)
    key = kinds[0]
    own_key = {"values": _VALUES, "parameter": _NAME} if key == "parameter" else {key: LIST}
    check(entry, _COMMON | own_key, place)
    own, values = zip(*_named_values(entry, key, place), strict=True)
    names = _list(entry, "names") or own
    weights = _list(entry, "weights") or (1.0,) * len(values)
    for what, listed in (("names", names), ("weights", weights)):
        if len(listed) != len(values):
            raise InputError(f"expected {what} for {len(values)} options, found {len(listed)}", place)
    try:
        options = tuple(Option(*option) for option in zip(names, values, weights, strict=True))
        return Choice(name, _KINDS[key], options, entry.get("parameter", ""), _list(entry, "only"))
    except InputError as error:
        raise InputError(error.problem, place) from None


def _named_values(entry: Mapping[str, Any], key: str, place: str) -> list[tuple[str, OptionValue]]:
    """Return the default name and the value of each option of a choice (an entry of the TOML text)."""
    values = _values(entry, key, place)
    if key != "topics":
        return [(option_name(value), value) for value in values]
    return [(value, value) if isinstance(value, str) else _topic_set(value, place) for value in values]


def _values(entry: Mapping[str, Any], key: str, place: str) -> tuple[OptionValue, ...]:
    key = "values" if key == "parameter" else key
    listed = entry.get(key)
    if key == "values" and isinstance(listed, str):
        return tuple(number_range(listed, place))
    values = _list(entry, key)
    if not values:
        raise InputError(f"expected `{key}` to be a list with at least one entry, found {shorten(str(listed))}", place)
    if key == "unassessed":  # 0 and 1 may be unquoted
        return tuple(f"{value:g}" if isinstance(value, float) else value for value in values)
    return tuple(None if key == "values" and value == NONE else value for value in values)


def _topic_set(value: OptionValue, place: str) -> tuple[str, OptionValue]:
    """Return the name of a set of topics, and the topics. Raises InputError for a different form."""
    table = dict(value) if isinstance(value, tuple) and all(isinstance(part, tuple) for part in value) else {}
    name, topics = table.get("name"), table.get("topics")
    fits = set(table) == {"name", "topics"} and isinstance(name, str) and isinstance(topics, tuple)
    if fits and topics and all(isinstance(part, str) for part in topics):
        return str(name), topics
    raise InputError('expected { name = "...", topics = ["...", ...] }, found topics in a different form', place)


def _list(entry: Mapping[str, Any], key: str) -> tuple[OptionValue, ...]:
    return tuple(map(as_option_value, entry.get(key, [])))


def write_specifications(specifications: Specifications) -> str:
    """Return specifications as canonical TOML text, from which `parse_specifications` reads them again."""
    lines = [f"title = {toml_text(specifications.title)}"] if specifications.title else []
    lines += [f"most = {specifications.most}", f"seed = {specifications.seed}"]
    for choice in specifications.choices:
        lines += ["", "[[choice]]", f"name = {toml_text(choice.name)}", *_choice_lines(choice)]
    return "\n".join(lines) + "\n"


def _choice_lines(choice: Choice) -> list[str]:
    key = next(key for key, kind in _KINDS.items() if kind == choice.kind)
    values = [_written(choice.kind, option) for option in choice.options]
    lines = [f"parameter = {toml_text(choice.parameter)}"] if choice.parameter else []
    lines.append(f"{'values' if key == 'parameter' else key} = [{', '.join(values)}]")
    if any(option.name != _own_name(choice.kind, option) for option in choice.options):
        lines.append(f"names = {_listed([option.name for option in choice.options])}")
    if any(option.weight != 1 for option in choice.options):
        lines.append(f"weights = {_listed([option.weight for option in choice.options])}")
    if choice.only:
        lines.append(f"only = {_listed(choice.only)}")
    return lines


def _own_name(kind: Kind, option: Option) -> str:
    """Return an option's default name; for a listed set of topics, which has none, its present name."""
    of_set = kind == "topics" and isinstance(option.value, tuple)
    return option.name if of_set else option_name(option.value)


def _written(kind: Kind, option: Option) -> str:
    value = option.value
    if kind == "aspect weights":
        return f"{{ {', '.join(f'{toml_text(name)} = {toml_text(number)}' for name, number in value)} }}"
    if kind == "topics" and isinstance(value, tuple):
        return f"{{ name = {toml_text(option.name)}, topics = {_listed(value)} }}"
    return toml_text(NONE if value is None else value)


def _listed(values: Sequence[Any]) -> str:
    return toml_text(tuple(values))


def digest(specifications: Specifications) -> str:
    """Return the first 12 hexadecimal digits of the SHA-256 of the canonical text, for citing specifications."""
    return hashlib.sha256(write_specifications(specifications).encode()).hexdigest()[:12]
