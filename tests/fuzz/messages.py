"""Messages of Streamlit's protocol from a stranger: every kind, every field, with any content."""

from __future__ import annotations

import string
import threading
from collections.abc import Sequence
from contextlib import suppress
from random import Random
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from protocol_support import Visitor
from streamlit.proto.BackMsg_pb2 import BackMsg
from websockets.exceptions import ConnectionClosed

TEXTS = (
    "", "0", "\x00", "é\u202e", "x" * 5000, "../../etc/passwd", "{}", "[[1]]", '{"a": 1e999}', "null", "[" * 500, "%00",
    "a=b&a=c", "data=your+files", "data=sample+data&home.rho=NaN", "understandability", "/toma", "claim",
)  # fmt: skip
NUMBERS = (0, 1, -1, 2, 2**31 - 1, -(2**31), 7, 10**6)
FLOATS = (0.0, 1.0, -1.0, 0.5, 1e308, float("nan"), float("inf"), 0.8)
DEEPEST = 6
EACH = 500  # messages of one session
PAGES = ("understandability", "claim", "collection")  # whose controls messages name too
KINDS = tuple(one.name for one in BackMsg.DESCRIPTOR.oneofs_by_name["type"].fields)


def message(random: Random, known: Sequence[str] = ()) -> bytes:
    """Draw a message: of some kind, with random fields and texts, some of them `known` to the server."""
    made = BackMsg()
    _fill_one(made, BackMsg.DESCRIPTOR.fields_by_name[random.choice(KINDS)], random, known, 0)
    content = made.SerializeToString()
    return _damaged(content, random) if random.random() < 0.02 else content


def sent(address: str, random: Random, count: int, known: Sequence[str] = (), network: str = "") -> int:
    """Send messages to a server, from one session after another; return their number."""
    done = 0
    while done < count:
        eve = Visitor(address, network=network)
        try:
            ids = [*known, *_seen_by(eve)]
            taking = threading.Thread(target=_take, args=(eve,), daemon=True)
            taking.start()
            with suppress(ConnectionClosed):
                for _ in range(min(EACH, count - done)):
                    eve.line.send(message(random, ids))
                    done += 1
        finally:
            eve.close()
            taking.join()
    return done


def _seen_by(eve: Visitor) -> list[str]:
    """Return the ids that a visitor receives."""
    for page in ("", *PAGES):
        eve.run(page)
    return [*eve.widgets.values(), eve.session, eve.navigation]


def _take(eve: Visitor) -> None:
    with suppress(ConnectionClosed, TimeoutError):
        for _ in eve.received():
            pass


def _fill(made: Message, random: Random, known: Sequence[str], depth: int) -> None:
    groups: dict[str, list[FieldDescriptor]] = {}
    for field in made.DESCRIPTOR.fields:
        group = field.containing_oneof.name if field.containing_oneof else field.name
        groups.setdefault(group, []).append(field)
    for fields in groups.values():
        if random.random() < 0.7:
            _fill_one(made, random.choice(fields), random, known, depth)


def _fill_one(made: Message, field: FieldDescriptor, random: Random, known: Sequence[str], depth: int) -> None:
    if depth > DEEPEST:
        return
    if field.message_type is not None:
        held = getattr(made, field.name)
        for one in [held.add() for _ in range(random.randint(0, 4))] if field.is_repeated else [held]:
            one.SetInParent()
            _fill(one, random, known, depth + 1)
    elif field.is_repeated:
        getattr(made, field.name).extend(_value(field, random, known) for _ in range(random.randint(0, 4)))
    else:
        setattr(made, field.name, _value(field, random, known))


def _value(field: FieldDescriptor, random: Random, known: Sequence[str]) -> Any:
    if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
        return random.random() < 0.8
    if field.cpp_type == FieldDescriptor.CPPTYPE_STRING:
        text = random.choice(known) if known and random.random() < 0.6 else random.choice(TEXTS)
        return text.encode() if field.type == FieldDescriptor.TYPE_BYTES else text
    if field.cpp_type in (FieldDescriptor.CPPTYPE_DOUBLE, FieldDescriptor.CPPTYPE_FLOAT):
        return random.choice(FLOATS)
    if field.cpp_type == FieldDescriptor.CPPTYPE_ENUM:
        return random.choice(field.enum_type.values).number
    number = random.choice(NUMBERS)
    unsigned = field.cpp_type in (FieldDescriptor.CPPTYPE_UINT32, FieldDescriptor.CPPTYPE_UINT64)
    return abs(number) if unsigned else number


def _damaged(content: bytes, random: Random) -> bytes:
    changed = bytearray(content or b"\x08")
    for _ in range(random.randint(1, 4)):
        changed[random.randrange(len(changed))] = random.randrange(256)
    return bytes(changed) + "".join(random.choices(string.printable, k=random.randint(0, 3))).encode()
