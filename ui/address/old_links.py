"""Parts of old links: pages, settings and values that no longer exist, and their equivalents today."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

SAME = None  # keep the value in the link


@dataclass(frozen=True)
class Old:
    """A part of a link that no page reads any more.

    key : a setting in the address, or the path of a page with its slash.
    pattern : regular expression for the beginning of a value.
    to : the equivalent settings today; empty if there are none.
    sentence : the message to people who open the link.
    """

    key: str
    pattern: str = ""
    to: Mapping[str, str | None] = field(default_factory=dict)
    sentence: str = ""

    def led_on(self, texts: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
        """Return the settings of a link in today's form; values that do not match `pattern` stay."""
        values, page = list(texts[self.key]), self.key.partition(".")[0]
        left = [text for text in values if not re.match(self.pattern, text)]
        if len(left) == len(values):
            return {key: list(listed) for key, listed in texts.items()}
        rest = {key: list(listed) for key, listed in texts.items() if key != self.key}
        there = {key: values if text is SAME else [text] for key, text in self.to.items()}
        if self.to.get(self.key) is SAME:  # add only settings that the link lacks or that name the page
            there = {key: listed for key, listed in there.items() if rest.get(key, [page]) == [page]}
        return {**rest, **({self.key: left} if left else {}), **there}


def led_on(texts: Mapping[str, Sequence[str]]) -> tuple[dict[str, list[str]], list[str]]:
    """Return the settings of a link in today's form, and sentences for the user about the changes."""
    now, sentences = {key: list(values) for key, values in texts.items()}, list[str]()
    for row in OLD:
        if row.key in now and (there := row.led_on(now)) != now:
            now = there
            sentences.append(row.sentence)
    return now, list(filter(None, dict.fromkeys(sentences)))


def _rows() -> Iterator[Old]:
    """Yield one `Old` for each key in the table of old links."""
    text = Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
    for row in tomllib.loads(text)["link"]:
        to = {key: SAME if value is True else value for key, value in row.get("to", {}).items()}
        yield from (Old(key, row.get("value", ""), to, row.get("sentence", "")) for key in row["keys"])


OLD = tuple(_rows())
