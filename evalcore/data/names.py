"""Names of files and columns: the aspects or runs that they name, their differences, and the meanings of columns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
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
    "novelty": ("novel",),
    "stance": ("stance",),
    "supportiveness": ("supportive",),
    "completeness": ("completeness",),
    "accuracy": ("accura",),
    "fluency": ("fluen",),
    "coherence": ("coheren",),
    "helpfulness": ("helpful",),
    "timeliness": ("timeli", "recency"),
    "informativeness": ("informati",),
    "faithfulness": ("faithful", "grounded"),
}
GENERAL = "qrel"  # used for labels of any aspect: it counts only if nothing else names one
_DOCUMENT = (
    "document", "document_id", "doc", "doc_id", "docid", "docno", "doc_no", "corpus-id", "corpus_id", "pid",
    "passage_id", "product_id", "item_id",
)  # fmt: skip
SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "topic": ("topic", "topic_id", "query", "query_id", "qid", "q_id", "topicid", "queryid", "query-id", "query_text"),
    "document": _DOCUMENT,
    "aspect": ("aspect", "dimension", "criterion"),
    "grade": ("grade", "label", "rel", "rating", "value", "judgment", "judgement"),
    "rank": ("rank", "position"),
    "score": ("score", "_score", "sim", "similarity"),
    "system": ("system", "run", "run_id", "runid", "tag"),
    "iteration": ("iteration", "iter", "subtopic", "subtopic_id"),
}
# Headers of columns in tables of scores
TOPIC = (
    *SYNONYMS["topic"], "task", "task_name", "question", "question_id", "user_input", "input", "dataset", "benchmark",
)  # fmt: skip
SYSTEM = (
    *SYNONYMS["system"], "systems", "model", "models", "model_name", "method", "approach", "pipeline", "retriever",
    "ranker", "reranker", "encoder", "llm", "submission", "app_name", "app_id",
)  # fmt: skip
TOPIC_ID = re.compile(r"(topic|query|question|q|t)?[-_. ]?\d+", re.IGNORECASE)
JUDGE = ("judge", "judge_id", "judge_name", "assessor", "annotator", "rater", "labeler", "labeller", "qrels")
_KNOWN = {name: meaning for meaning, names in SYNONYMS.items() for name in names}
# Beside another column of their meaning these are something else: a topic's text, PyTerrier's number of a document.
SPARE = {"query": "topic", "docid": "document"}
ASSESSOR_COLUMNS = (
    "assessor", "assessor_id", "judge", "judge_id", "annotator", "annotator_id", "source",
    "worker", "worker_id", "workerid", "rater", "rater_id", "labeler", "labeller", "coder", "user", "user_id",
    "model", "model_name", "llm",
)  # fmt: skip
# Columns that make up a judge together with its model
JUDGE_PARTS = (
    "prompt", "prompt_id", "prompt_name", "prompt_type", "template", "temperature", "seed", "repeat", "trial",
)  # fmt: skip
_HIT = "_id"  # of a document, if a topic is named beside it
RUN_FOLDERS = ("runs", "run")
NO_VALUE = ("nan", "na", "n/a", "null", "none", "-")  # cells without a value
UNNAMED = ("grade", "score")  # meanings of columns that say nothing about the aspect
# Words that say who gave labels: people of some kind, models, and prompts known by name
_PEOPLE = "nist|humans?|persons?|people|experts?|assessors?|annotators?|original|official"  # compared with others
_WHO = re.compile(
    rf"({_PEOPLE}|llms?|gpt|chatgpt|o[134]|llama|mistral|mixtral|qwen|gemini|gemma|claude|opus|sonnet|haiku|command|"
    r"deepseek|phi|umbrela|crowd|turk|mturk|workers?|judges?|raters?|coders?|labell?ers?|students?|auto|automatic|"
    r"synthetic|machine|model|majority|adjudicated|consensus|seed|rep|repeat|trial|epoch)\d*[a-z]?"
)
_TRUSTED = re.compile(rf"({_PEOPLE})\d*[a-z]?")
# Words that say which part of the labels a file has
_PART = re.compile(
    r"(part|pt|p|split|fold|batch|round|chunk|shard|half|vol|volume|section|set|group|block|year|month|week|day|topics?|"
    r"trec|clef|ntcir|dl|q)?\d+[a-z]?|[ivx]+|[a-e]|part|split|fold|batch|round|half|topics?|train(ing)?|dev|devel|"
    r"development|val(id|idation)?|test(ing|ed)?|eval|first|second|third|fourth|last|rest|early|late|old|new|one|two|"
    r"three|four"
)
_RANGE = re.compile(r"(?<![a-z0-9-])\d+-\d+(?![a-z0-9])")  # of topics
_GENERAL_WORDS = re.compile(r"qrels?|labels?|judge?ments?|assessments?|annotations?|ratings?|grades?|truth")
LABELS = "labels"  # name of an aspect if its file does not name it
# Words of a column about the work of labelling, or about what was labelled
_ABOUT = frozenset(
    re.findall(
        r"\w+",
        "id ids uid uuid guid worker user hit task seconds secs sec ms minutes time times duration elapsed latency "
        "timestamp date datetime created updated submitted day hour comment comments note notes remark remarks "
        "rationale reason reasoning explanation justification evidence feedback text title url uri link snippet "
        "body passage content query question description narrative unnamed index idx row line number no nr n batch "
        "session assignment language lang country age gender version prompt response output raw model cost price "
        "tokens position page file filename path judge judges assessor annotator rater name email confidence certainty "
        "status run system tag variance ",
    )
)
RUN_ENDINGS = (".run", ".res", ".trec")


def file_name(name: str) -> str:
    """Return the file name in lower case, without folders."""
    return PurePosixPath(name.lower()).name


def aspect_name(source: Source) -> str:
    """Return the aspect that is named by a file name or else by its folder.

    If no aspect is named, return the words of the file name that mark neither an assessor nor a part of the labels, or
    "labels" if there are none.

    >>> aspect_name(Source("task2.qtrust", bytes)), aspect_name(Source("qrels/test.tsv", bytes))
    ('trustworthiness', 'relevance')
    """
    words = own_words(source.stem)
    is_whole = words == " ".join(_plain_pieces(source.stem))
    return called_aspect(source.name) or (source.stem if is_whole else words or LABELS)


def column_aspect(name: str) -> str:
    """Return the aspect that a header, or a value in a column of aspects, names; else the name itself.

    >>> column_aspect("topical_relevance"), column_aspect("Readability"), column_aspect("freshness")
    ('relevance', 'understandability', 'freshness')
    """
    return _spoken_of(name.lower()) or name


def is_about_labels(name: str) -> bool:
    """Return true if the header of a column shows that the column has facts about labels or documents, but no labels.

    This is so if the last word of the header is in `_ABOUT`, or if any word is and the header does not name an aspect.

    >>> [is_about_labels(name) for name in ("worker_id", "Unnamed: 0", "relevance_comment", "text_quality", "depth")]
    [True, True, True, False, False]
    """
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    words = [word for word in re.split(r"[^a-z]+", spaced.lower()) if word]
    return not words or words[-1] in _ABOUT or (not _spoken_of(name.lower()) and bool(_ABOUT & set(words)))


def called_aspect(name: str) -> str:
    """Return the aspect that is named by a file name or else by its folder; "" for none."""
    path = PurePosixPath(name.lower())
    return _spoken_of(path.name) or _spoken_of(path.parent.name)


def _spoken_of(name: str) -> str:
    """Return the aspect that a word in a name means; "" for none.

    Words like "corrected" do not count: they say that something was done to the labels.
    """
    means = {word: aspect for aspect, words in ASPECT_WORDS.items() for word in words}
    spoken = [word for word in means if re.search(f"{word}(?!ed)", name)]
    return means[next((word for word in spoken if word != GENERAL), spoken[0])] if spoken else ""


@lru_cache(maxsize=256)
def is_readability(name: str) -> bool:
    """Return true if an aspect or signal of that name is about how hard a document is to read.

    >>> is_readability("understandability"), is_readability("fog"), is_readability("credibility")
    (True, True, False)
    """
    return name in FORMULAS or called_aspect(name) == "understandability"


def readability_first(names: Iterable[str]) -> list[str]:
    """Sort names of aspects and signals: understandability first, then other kinds of reading difficulty.

    >>> readability_first(["credibility", "fog", "understandability"])
    ['understandability', 'fog', 'credibility']
    """
    return sorted(names, key=lambda name: (name != "understandability", not is_readability(name)))


def called_run(name: str) -> bool:
    """Return true if the name of a file, its ending or its folder marks it as a run.

    >>> called_run("runs/a.json"), called_run("my_run.json"), called_run("pruned.json")
    (True, True, False)
    """
    path = PurePosixPath(name.lower())
    named = {"run", "runs"} & set(re.split(r"[^a-z]+", path.name))
    return path.parent.name in RUN_FOLDERS or bool(set(path.suffixes) & set(RUN_ENDINGS)) or bool(named)


def differences(names: Sequence[str]) -> list[str]:
    """Return, for each file name, the words that it does not share with all other names.

    >>> differences(["qrels.txt", "qrels.umbrela.txt"]), differences(["human/qrels.txt", "llm/qrels.txt"])
    (['', 'umbrela'], ['human', 'llm'])
    """
    words = [_words(name) for name in names]
    common = set.intersection(*map(set, words)) if words else set()
    return [" ".join(word for word in listed if word not in common) for listed in words]


def beyond_aspect(text: str) -> str:
    """Return the words of a file name without those that name an aspect.

    >>> beyond_aspect("relevance"), beyond_aspect("qrels nist")
    ('', 'nist')
    """
    return " ".join(word for word in text.split() if not called_aspect(word))


def own_words(text: str) -> str:
    """Return the words of a file name without those that name an assessor or a part of the labels.

    >>> own_words("labels.part1"), own_words("gpt-4o 2021"), own_words("exam-mean"), own_words("dl19 passages")
    ('', '', 'exam mean', 'passages')
    """
    return " ".join(word for word in _pieces(text) if not _WHO.fullmatch(word) and not _PART.fullmatch(word))


def says_who(text: str) -> str:
    """Return the words of a name that say who the assessor is; "" for none.

    >>> says_who("dl21 gpt4"), says_who("2021")
    ('gpt4', '')
    """
    return " ".join(word for word in _pieces(text) if _WHO.fullmatch(word))


def is_trusted(text: str) -> bool:
    """Return true if a name marks human labels, the standard for other labels.

    >>> is_trusted("nist 2023"), is_trusted("gpt4 official prompt"), is_trusted("crowd")
    (True, False, False)
    """
    who = says_who(text).split()
    return bool(who) and all(map(_TRUSTED.fullmatch, who))


def is_truth(text: str) -> bool:
    """Return true if a name marks true scores, the standard for the scores of judges.

    >>> is_truth("truth"), is_truth("judgeA"), is_truth("nist")
    (True, False, True)
    """
    return is_trusted(text) or bool({"truth", "gold"} & {*_plain_pieces(text)})


def is_part(text: str) -> bool:
    """Return true if a name marks one part of some labels: a year, a split, or a number.

    >>> is_part("2021"), is_part("nist part2"), is_part("nist")
    (True, True, False)
    """
    return any(_PART.fullmatch(word) and not _WHO.fullmatch(word) for word in _pieces(text))


def _plain_pieces(text: str) -> list[str]:
    return [word for word in re.split(r"[^a-z0-9]+", text.lower()) if word]


def _pieces(text: str) -> list[str]:
    """Return the words of a name. The number of a judge, or the version of a model, stays with its word."""
    pieces: list[str] = []
    for word in _plain_pieces(_RANGE.sub("part", text.lower())):
        if pieces and _WHO.fullmatch(pieces[-1]) and re.fullmatch(r"\d{1,2}[a-z]{0,2}|\d+b", word):
            pieces[-1] += word
        elif not _GENERAL_WORDS.fullmatch(word):
            pieces.append(word)
    return pieces


def spoken_aspects(name: str) -> list[str]:
    """Return the aspects in a file name, each once, in the order of the name; the general word `qrels` does not count.

    >>> spoken_aspects("misinfo-qrels.2aspects.useful-credible")
    ['usefulness', 'credibility']
    """
    text = file_name(name)
    words = ((word, aspect) for aspect, listed in ASPECT_WORDS.items() for word in listed if word != GENERAL)
    spoken = sorted((match.start(), aspect) for word, aspect in words for match in re.finditer(f"{word}(?!ed)", text))
    return list(dict.fromkeys(aspect for _, aspect in spoken))


# t0.7 (a temperature) and 3.5 (a version) are not split
_BETWEEN = re.compile(r"(?:[/\s_]|(?<![a-z-][0-9])\.|\.(?![0-9]{1,2}(?![0-9])))+", re.IGNORECASE)
_LEADING = re.compile(rf"({_GENERAL_WORDS.pattern})-+(?=.)", re.IGNORECASE)


def _words(name: str) -> list[str]:
    folders = PurePosixPath(name).parent.as_posix()
    words = _BETWEEN.split(f"{folders}/{Source(name, bytes).stem}")
    return [part for word in words for part in _LEADING.sub(r"\1 ", word).split()]


def meanings(names: Sequence[str]) -> list[str]:
    """Return the meaning of each column, from its name; an unknown name is its own meaning.

    >>> meanings(["qid", "docid", "docno", "Score", "query", "fog"])
    ['topic', 'docid', 'document', 'score', 'query', 'fog']
    """
    plain = [str(name).strip() for name in names]
    result = [_KNOWN.get(name.lower().replace(" ", "_"), name) for name in plain]
    for spare, meaning in SPARE.items():
        others = [role for role, name in zip(result, plain, strict=True) if role == meaning and name.lower() != spare]
        if others:
            result = [spare if name.lower() == spare else role for role, name in zip(result, plain, strict=True)]
    if "topic" in result and "document" not in result:
        result = ["document" if name == _HIT else role for role, name in zip(result, plain, strict=True)]
    return result
