"""Parts of old links: pages, settings and values that no longer exist, and what each opens today."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

SAME = None  # the value of the setting as the link has it


@dataclass(frozen=True)
class Old:
    """A part of a link that no page reads any more.

    key : a setting in the address, or the path of a page with its slash.
    pattern : regular expression for the beginning of a value.
    to : the settings that mean the same today; empty if there are none.
    sentence : the message to whoever opens the link.
    """

    key: str
    pattern: str = ""
    to: Mapping[str, str | None] = field(default_factory=dict)
    sentence: str = ""

    def led_on(self, texts: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
        """Return the settings of a link as they are written today; values that `pattern` does not match stay."""
        values, page = list(texts[self.key]), self.key.partition(".")[0]
        left = [text for text in values if not re.match(self.pattern, text)]
        if len(left) == len(values):
            return {key: list(listed) for key, listed in texts.items()}
        rest = {key: list(listed) for key, listed in texts.items() if key != self.key}
        there = {key: values if text is SAME else [text] for key, text in self.to.items()}
        if self.to.get(self.key) is SAME:  # it adds settings where the link has none, or the page's name
            there = {key: listed for key, listed in there.items() if rest.get(key, [page]) == [page]}
        return {**rest, **({self.key: left} if left else {}), **there}


def led_on(texts: Mapping[str, Sequence[str]]) -> tuple[dict[str, list[str]], list[str]]:
    """Return the settings of a link as they are written today, and the sentences about what it opened before."""
    now, sentences = {key: list(values) for key, values in texts.items()}, list[str]()
    for row in OLD:
        if row.key in now and (there := row.led_on(now)) != now:
            now = there
            sentences.append(row.sentence)
    return now, list(filter(None, dict.fromkeys(sentences)))


def _rows() -> Iterator[Old]:
    """Read the table of old links."""
    text = Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
    for row in tomllib.loads(text)["link"]:
        to = {key: SAME if value is True else value for key, value in row.get("to", {}).items()}
        yield from (Old(key, row.get("value", ""), to, row.get("sentence", "")) for key in row["keys"])


OLD = tuple(_rows())
