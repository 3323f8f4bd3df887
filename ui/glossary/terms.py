"""The words of the field and of this app, each explained once: read from glossary.toml beside this file."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Term:
    """A word and its explanation; `also` are other names of it, `see` the headwords of related entries."""

    name: str
    text: str
    formula: str = ""
    source: str = ""
    also: tuple[str, ...] = ()
    see: tuple[str, ...] = ()


def _term(said: dict[str, Any]) -> Term:
    also, see = (tuple(said.pop(key, ())) for key in ("also", "see"))
    return Term(**said, also=also, see=see)


_WRITTEN = tomllib.loads(Path(__file__).with_name("glossary.toml").read_text(encoding="utf-8"))
IN_WORDS: dict[str, str] = _WRITTEN.pop("in_words")
"""What a measure is in one sentence, for a first reading; its docstring with the formula stands below it."""
TERMS = {group: tuple(map(_term, listed)) for group, listed in _WRITTEN.items()}
"""The words by group."""
