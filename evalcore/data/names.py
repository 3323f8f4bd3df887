"""What files and columns are called: the aspect or run a name speaks of, what tells two apart, what a column holds."""

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
    "quality": ("quality",),
    "harmfulness": ("harmful",),
}
GENERAL = "qrel"  # labels of any aspect are called so: it tells which only where nothing else does
SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "topic": ("topic", "topic_id", "query", "query_id", "qid", "q_id", "topicid", "queryid", "query-id"),
    "document": ("document", "document_id", "doc", "doc_id", "docid", "docno", "doc_no", "corpus-id", "corpus_id"),
    "aspect": ("aspect", "dimension", "criterion"),
    "grade": ("grade", "label", "rel", "rating", "value", "judgment", "judgement"),
    "rank": ("rank", "position"),
    "score": ("score", "_score", "sim", "similarity"),
    "system": ("system", "run", "run_id", "runid", "tag"),
    "iteration": ("iteration", "iter", "subtopic", "subtopic_id"),
}
_KNOWN = {name: meaning for meaning, names in SYNONYMS.items() for name in names}
# Beside another column of their meaning these are something else: a topic's text, PyTerrier's number of a document.
SPARE = {"query": "topic", "docid": "document"}
ASSESSOR_COLUMNS = ("assessor", "assessor_id", "judge", "judge_id", "annotator", "annotator_id", "source")
_HIT = "_id"  # of a document, where a topic is named beside it
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
    """The aspect that a word in a name means; "corrected" and the like say that something was done to the labels."""
    means = {word: aspect for aspect, words in ASPECT_WORDS.items() for word in words}
    found = [word for word in means if re.search(f"{word}(?!ed)", name)]
    return means[next((word for word in found if word != GENERAL), found[0])] if found else ""


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


def beyond_aspect(said: str) -> str:
    """Words of a file name without those that say what the labels are about.

    >>> beyond_aspect("relevance"), beyond_aspect("qrels nist")
    ('', 'nist')
    """
    return " ".join(word for word in said.split() if not called_aspect(word))


def _words(name: str) -> list[str]:
    folders = PurePosixPath(name).parent.as_posix()
    return [word for word in re.split(r"[./\s_]+", f"{folders}/{Source(name, bytes).stem}") if word]


def meanings(names: Sequence[str]) -> list[str]:
    """What columns hold; a name that says nothing stays.

    >>> meanings(["qid", "docid", "docno", "Score", "query", "fog"])
    ['topic', 'docid', 'document', 'score', 'query', 'fog']
    """
    plain = [str(name).strip() for name in names]
    found = [_KNOWN.get(name.lower(), name) for name in plain]
    for spare, meaning in SPARE.items():
        others = [one for one, name in zip(found, plain, strict=True) if one == meaning and name.lower() != spare]
        if others:
            found = [spare if name.lower() == spare else one for one, name in zip(found, plain, strict=True)]
    if "topic" in found and "document" not in found:
        found = ["document" if name == _HIT else one for one, name in zip(found, plain, strict=True)]
    return found
