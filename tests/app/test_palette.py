"""What Ctrl K finds, and where it leads; the box itself is looked at in tests/browser."""

from __future__ import annotations

import json
import re
from html import unescape
from types import SimpleNamespace
from typing import Any

import pytest

import evalcore as ec
from app_support import SAMPLE, fresh, move_to, open_app, snapshot
from evalcore.measures import Measure
from evalcore.notation.values import Value
from ui.address import settings
from ui.address.findable import FINDABLE
from ui.address.site import PAGES
from ui.glossary.words import entries
from ui.shell import palette

COLLECTION = ec.load(SAMPLE)


def test_every_page_system_topic_word_and_offered_measure_is_found() -> None:
    found = palette.names(COLLECTION)
    assert [stem for stem, *_ in found["page"]] == list(PAGES)
    assert found["system"] == list(COLLECTION.systems)
    assert [topic for topic, _ in found["topic"]] == list(COLLECTION.topics)
    assert [word for word, _ in found["word"]] == list(entries())
    assert all(str(ec.parse(text)) == text for text in (*found["known"], *found["measure"]))
    assert {"nDCG", "RBP"} <= set(found["heads"])
    assert not any(head in Value.registry and not issubclass(Value.registry[head], Measure) for head in found["heads"])


def test_the_names_of_a_large_collection_are_a_small_message() -> None:
    systems, topics = [f"a system {at}" for at in range(425)], [f"topic {at}" for at in range(1000)]
    parts = {"aspects": (), "systems": systems, "topics": topics, "queries": dict.fromkeys(topics, "x" * 1000)}
    large: Any = SimpleNamespace(**parts)
    assert len(json.dumps(palette.names(large))) < 150_000


def test_other_pages_are_known_as_the_menu_opens_them() -> None:
    app = open_app("toma", **{"base": "AP", "systems": COLLECTION.systems[0]})
    move_to(app, "measures")
    (written,) = (match for html in app.main.get("html") for match in re.findall('data-seen="(.*)"', html.proto.body))
    seen = json.loads(unescape(written))
    assert seen == {"": {"systems": [COLLECTION.systems[0]]}, "toma": {"toma.base": ["AP"]}}


@pytest.mark.parametrize(
    ("lead", "name", "shown"),
    [
        ("known", "DCG", ["reference DCG"]),
        ("measure", "nDCG(cutoff=7)", ["reference nDCG@7"]),
        ("topic", COLLECTION.topics[2], [f"**Topic {COLLECTION.topics[2]}**"]),
        ("word", "persistence", ["persistence"]),
    ],
)
def test_what_is_found_is_shown_on_its_page(lead: str, name: str, shown: list[str]) -> None:
    page, key, dropped = FINDABLE[lead].leads
    assert settings.declared(page) >= {key, *(dropped or [])}
    app = fresh(page, {key: [name]})
    assert not app.warning
    assert any(one in text for texts in snapshot(app).values() for text in texts for one in shown)
