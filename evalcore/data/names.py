"""What files are called: the aspect or run a name speaks of, and what tells two names apart."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath

from evalcore.data.readability import FORMULAS
from evalcore.data.sources import Source

ASPECT_WORDS: Mapping[str, tuple[str, ...]] = {
    "relevance": ("qrel", "relev", "topical"),
    "understandability": ("qread", "qunder", "underst", "readab"),
    "trustworthiness": ("qtrust", "trust"),
    "credibility": ("qcred", "credib"),
    "usefulness": ("quse", "useful"),
    "correctness": ("qcorr", "correct"),
}
RUN_FOLDERS = ("runs", "run")
RUN_ENDINGS = (".run", ".res", ".trec")


def file_name(name: str) -> str:
    """The lower-case name without folders."""
    return PurePosixPath(name.lower()).name


def aspect_name(source: Source) -> str:
    """The aspect a file name speaks of, else the one its folder speaks of, else its stem.

    >>> aspect_name(Source("task2.qtrust", bytes)), aspect_name(Source("qrels/test.tsv", bytes))
    ('trustworthiness', 'relevance')
    """
    return called_aspect(source.name) or source.stem


def called_aspect(name: str) -> str:
    """The aspect that a file name, or its folder, speaks of; "" for none."""
    path = PurePosixPath(name.lower())
    return _spoken_of(path.name) or _spoken_of(path.parent.name)


def _spoken_of(name: str) -> str:
    found = (aspect for aspect, words in ASPECT_WORDS.items() if any(word in name for word in words))
    return next(found, "")


def is_readability(name: str) -> bool:
    """Whether an aspect or signal of that name tells how hard a document is to read.

    >>> is_readability("understandability"), is_readability("fog"), is_readability("credibility")
    (True, True, False)
    """
    return name in FORMULAS or called_aspect(name) == "understandability"


def readability_first(names: Iterable[str]) -> list[str]:
    """Names of aspects and signals, those that tell how hard a document is to read before the others.

    >>> readability_first(["credibility", "fog", "understandability"])
    ['understandability', 'fog', 'credibility']
    """
    return sorted(names, key=lambda name: (name != "understandability", not is_readability(name)))


def called_run(name: str) -> bool:
    """Whether a name says that it is a run.

    >>> called_run("runs/a.json"), called_run("my_run.json"), called_run("pruned.json")
    (True, True, False)
    """
    path = PurePosixPath(name.lower())
    named = {"run", "runs"} & set(re.split(r"[^a-z]+", path.name))
    return path.parent.name in RUN_FOLDERS or bool(set(path.suffixes) & set(RUN_ENDINGS)) or bool(named)


def differences(names: Sequence[str]) -> list[str]:
    """What each of some file names says beyond what all of them say.

    >>> differences(["qrels.txt", "qrels.umbrela.txt"]), differences(["human/qrels.txt", "llm/qrels.txt"])
    (['', 'umbrela'], ['human', 'llm'])
    """
    words = [_words(name) for name in names]
    common = set.intersection(*map(set, words)) if words else set()
    return [" ".join(word for word in listed if word not in common) for listed in words]


def _words(name: str) -> list[str]:
    folders = PurePosixPath(name).parent.as_posix()
    return [word for word in re.split(r"[./\s_]+", f"{folders}/{Source(name, bytes).stem}") if word]
