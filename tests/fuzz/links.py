"""Links to every page with hostile values for every key that its settings declare, and their opening."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from hostile import SYSTEMS
from streamlit import config

import evalcore as ec
from app_support import fresh
from evalcore.errors import InputError
from ui.address.places import PAGES
from ui.address.settings import Settings, declared, kinds
from ui.data.open_collection import SAMPLES
from ui.widgets.fields import Each, Field, Number, Numbers, OneValue, Span

STEMS = list(PAGES)
MOST = 40  # texts for one key
HOSTILE = (
    *SYSTEMS,
    *("", " ", "\n", "\0", "none", "NONE", "all", "*", "[", "]*[", "true", "0", "-1", "1.5", "1e308", "-1e-308", "nan"),
    *(
        "inf",
        "9" * 400,
        "1_0",
        "0x10",
        "\u0663",
        "1 to",
        "0 to 1 to 2",
        "2 to 1",
        "nan to nan",
        ":",
        "0:",
        ":0",
        "0:nan",
    ),
    *("AP", "RBP(rho=1e999)", f"RBP(rho={'9' * 400})", 'AP(aspect="nowhere")', "P@0", f"P@{'9' * 400}", "CAM([])"),
    *(
        "MM(" * 60,
        "nDCG(gains={0: 0, 1: -1})",
        "AP(",
        "__import__('os')",
        "p = AP",
        "= AP",
        "a=b=AP | AP",
        "p = x" * 99,
    ),
    *("../../etc/passwd", "your files", "own collection", "\u202e", "x" * 5000, "[" * 500, "{}", "null", "é"),
)


def opened(data: bytes) -> None:
    """Open a link `/page?key=value&key=value`: the page opens, and may say that something does not fit."""
    parts = urlsplit(data.decode())
    detail = config.get_option("client.showErrorDetails")
    config.set_option("client.showErrorDetails", "full")  # the app itself tells its visitors less
    try:
        app = fresh(parts.path.strip("/"), parse_qs(parts.query, keep_blank_values=True))
    finally:
        config.set_option("client.showErrorDetails", detail)
    assert [(shown.message, shown.stack_trace) for shown in app.exception] == []


def link(stem: str, random: Random) -> bytes:
    """Make a link to a page, with values for most declared keys, hostile ones most of all."""
    data = random.choice(list(SAMPLES))
    fields = _fields(stem, data)
    keys = [key for key in sorted(declared(PAGES[stem].place)) if random.random() < 0.8]
    query = {key: list(_texts(fields.get(key), random)) for key in keys}
    query["data"] = [data if random.random() < 0.9 else random.choice(HOSTILE)]
    return f"/{stem}?{urlencode(query, doseq=True)}".encode()


@cache
def _fields(stem: str, data: str) -> dict[str, Field]:
    """The fields of the settings that apply on a sample as it opens, by their keys."""
    return {kind.key(name): field for kind in kinds(PAGES[stem].place) for name, field in _applying(kind, data)}


@cache
def _sample(data: str) -> ec.Collection:
    return ec.load(SAMPLES[data])


def _applying(kind: type[Settings], data: str) -> list[tuple[str, Field]]:
    try:
        return [(name, field) for name, field, _ in kind.read(_sample(data), {}).items()]
    except (InputError, IndexError):  # a page that does not fit this sample; it checks before it reads
        return []


def _texts(field: Field | None, random: Random) -> Iterator[str]:
    """Yield values for a key: valid ones, valid ones with a piece in them, hostile ones; one or several."""
    valid = _valid(field, random)
    for _ in range(random.choice((1, 1, 1, 2, 3, MOST))):
        kept, hostile = random.choice(valid), random.choice(HOSTILE)
        at = random.randint(0, len(kept))
        yield random.choice((kept, kept, hostile, hostile, kept[:at] + hostile + kept[at:], kept[:at]))


def _valid(field: Field | None, random: Random) -> Sequence[str]:
    """Return some texts that a field accepts."""
    if field is None:
        return [""]
    found = field.write(field.usual)
    if isinstance(field, Each):
        found += [f"{name}:{text}" for name, part in field.parts.items() for text in _valid(part, random)]
    elif isinstance(field, OneValue):
        found += [str(value) for value in field.kinds.options]
    offered: Sequence[Any] = getattr(field, "options", None) or getattr(field, "offered", None) or ()
    found += [text for one in random.sample(list(offered), min(3, len(offered))) for text in _written(field, one)]
    if isinstance(field, Number | Numbers | Span):
        found += [json.dumps(end) for end in (field.low, field.high, random.uniform(field.low, field.high))]
    return found or [""]


def _written(field: Field, option: Any) -> list[str]:
    several = isinstance(field.usual, tuple) and not isinstance(option, tuple)
    return field.write((option,) if several else option)
