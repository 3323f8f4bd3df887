"""Links made before: pages, settings and values that there are no more, and what each opens today."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

SAME = None  # the value of the setting as the link has it


@dataclass(frozen=True)
class Old:
    """A part of a link that nothing takes any more.

    `key` is a setting in the address, or the path of a page with its stroke; `pattern` is how a value begins (a regular
    expression); `to` has the settings that say the same today, none where nothing does; `sentence` is said to whoever
    opens the link.
    """

    key: str
    pattern: str = ""
    to: Mapping[str, str | None] = field(default_factory=dict)
    sentence: str = ""

    def led_on(self, texts: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
        """Write the settings of a link as they are today; of several values those stay that the row is not about."""
        values, page = list(texts[self.key]), self.key.partition(".")[0]
        left = [text for text in values if not re.match(self.pattern, text)]
        if len(left) == len(values):
            return {key: list(listed) for key, listed in texts.items()}
        rest = {key: list(listed) for key, listed in texts.items() if key != self.key}
        there = {key: values if text is SAME else [text] for key, text in self.to.items()}
        if self.to.get(self.key) is SAME:  # it adds to the link, which is right where it says more than its page
            there = {key: listed for key, listed in there.items() if rest.get(key, [page]) == [page]}
        return {**rest, **({self.key: left} if left else {}), **there}


def led_on(texts: Mapping[str, Sequence[str]]) -> tuple[dict[str, list[str]], list[str]]:
    """Return what a link says today, and the sentences about what it opened before."""
    now, sentences = {key: list(values) for key, values in texts.items()}, list[str]()
    for row in OLD:
        if row.key in now and (there := row.led_on(now)) != now:
            now = there
            sentences.append(row.sentence)
    return now, list(filter(None, dict.fromkeys(sentences)))


def _rows() -> Iterator[Old]:
    """Read the table."""
    text = Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
    for row in tomllib.loads(text)["link"]:
        to = {key: SAME if value is True else value for key, value in row.get("to", {}).items()}
        yield from (Old(key, row.get("value", ""), to, row.get("sentence", "")) for key in row["keys"])


OLD = tuple(_rows())
