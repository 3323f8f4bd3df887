"""No line is skipped: leaving one out changes what is read or counted, or one of the two is refused."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from random import Random
from typing import Any

import numpy as np
import pandas as pd
import pytest
from data.forms import QREL_FORMS, RUN_FORMS, trec, trec_qrels

import evalcore as ec
from evalcore.errors import InputError

pytestmark = pytest.mark.slow

SEED = os.environ.get("SEED", "")
ROUNDS = 3 * int(os.environ.get("FUZZ", "1"))  # of each form; FUZZ=100 takes a quarter of an hour
TOPICS, DOCUMENTS = ("1", "2", "q3"), ("d1", "d2", "d3", "é-4")
PIECES = ("", "0", "-1", "1", "2", "nan", "1e999", "x", "d1", "#", "\ufeff", "1_0", "٣", '"', "1 1", "-1e-320")
APART = ("fingerprint", "manifest", "digest", "seconds")  # fields that are no content
FORMS = [("run", *form) for form in RUN_FORMS] + [("qrels", *form) for form in QREL_FORMS]


def seen(files: Mapping[str, bytes], manifest: str = "") -> object:
    """Return what files are read as, and their report; None if they are refused."""
    try:
        found = ec.load_files(list(files.items()), manifest=manifest or None)
    except InputError:
        return None
    return plain(found)


def plain(thing: Any) -> object:
    """Return all content of a collection, or of a part of it, except digests of the files, as something to compare."""
    match thing:
        case pd.DataFrame() | pd.Series():
            return thing.to_csv()
        case np.ndarray():
            return [plain(one) for one in thing.tolist()]
        case Mapping():
            return [(str(key), plain(value)) for key, value in thing.items()]
        case tuple() | list():
            return [plain(one) for one in thing]
        case _ if is_dataclass(thing):
            return [(one.name, plain(getattr(thing, one.name))) for one in fields(thing) if one.name not in APART]
        case _:
            return repr(thing)


def changed(content: bytes, random: Random) -> bytes:
    """Replace some fields of the content, and repeat some lines that are no part of an object."""
    lines = content.decode().splitlines(keepends=True)
    for _ in range(random.choice((0, 1, 1, 2))):
        at = random.randrange(len(lines))
        if random.random() < 0.3 and not lines[at].startswith("  "):
            lines.insert(random.randrange(len(lines) + 1), lines[at])
        elif fields := list(re.finditer(r"[^\s,]+", lines[at])):
            field = random.choice(fields)
            lines[at] = lines[at][: field.start()] + random.choice(PIECES) + lines[at][field.end() :]
    return "".join(lines).encode()


def shorter(content: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield each line with content, and the content without it."""
    lines = content.decode().splitlines(keepends=True)
    for at, line in enumerate(lines):
        if line.strip() and not line.lstrip().startswith("#"):
            yield line, "".join(lines[:at] + lines[at + 1 :]).encode()


@pytest.mark.parametrize(("kind", "name", "write"), FORMS, ids=[f"{form[2].__name__}-{form[1]}" for form in FORMS])
def test_a_line_is_read_counted_or_refused(kind: str, name: str, write) -> None:
    for at in range(ROUNDS if not name.endswith(".parquet") else 0):
        random = Random(f"{name} {at}{SEED}")
        drawn = {t: {d: random.randint(-1, 3) for d in DOCUMENTS if random.random() < 0.8} for t in TOPICS}
        content = changed(write({t: listed or {"d1": 1} for t, listed in drawn.items()}), random)
        run, qrels = ({t: {d: 9 - i for i, d in enumerate(DOCUMENTS)} for t in TOPICS} for _ in range(2))
        beside = ("qrels.txt", trec_qrels(qrels)) if kind == "run" else ("b.run", trec(run))
        whole = seen(dict([(name, content), beside]))
        for line, less in shorter(content) if whole is not None else ():
            assert seen(dict([(name, less), beside])) != whole, (line, content)


TREC = {"a.run": b"".join(b"%d Q0 d%d %d %d x\n" % (t, d, d, -d) for t in (1, 2) for d in (1, 2, 3))}
BASE = {**TREC, "qrels.txt": b"1 0 d1 1\n1 0 d2 0\n2 0 d1 0\n2 0 d3 2\n"}
ASPECT = '[aspects.relevance]\nfile = "qrels.txt"\n'
PARTS = {
    "runs/a.txt": b"1 Q0 d1 1 9 x 0 40\n1 Q0 d2 2 8 x 5 30\n2 Q0 d1 1 9 x 10 20\n",
    "highlights.txt": b"1 Q0 d1 30 400 5 5:30\n2 Q0 d1 20 400 9 9:20\n",
}
PASSAGES = 'runs = ["runs/*"]\n[passages]\nfile = "highlights.txt"\n'
SCORES: dict[str, bytes] = {}
# A mean, which is checked against the scores of its topics; an empty score, which counts as one that is missing; a
# repeated query; the text of a document that no file names.
SAYS_NOTHING = re.compile(r"\ball\b|,\n|^\d\twhat|_id\": (?!\"d[123]\")")
# Other kinds of files: the name and content of a file, files beside it, and a description that names it.
OTHERS: tuple[tuple[str, bytes, Mapping[str, bytes], str], ...] = (
    ("queries.tsv", b"1\twhat is d1\n2\twhat is d2\n", BASE, ""),
    ("signal.csv", b"document,fog\nd1,9\nd2,12.5\nd3,8\n", BASE, f'{ASPECT}[signals.fog]\nfile = "signal.csv"\n'),
    (
        "corpus.jsonl",
        b'{"_id": "d1", "text": "a b"}\n{"_id": "d2", "text": "b c"}\n{"_id": "d3", "text": "c"}\n',
        BASE,
        f'{ASPECT}[documents]\nfile = "corpus.jsonl"\n',
    ),
    (
        "links.csv",
        b"source,target,probability\nd1,d2,0.5\nd2,d3,0.4\nd1,d3,0.1\n",
        BASE,
        f'{ASPECT}[navigation]\nlinks = "links.csv"\n',
    ),
    ("links.txt", b"d1 d2 0.5\nd2 d3 0.2\nd1 d3 0.3\n", BASE, f'{ASPECT}[navigation]\nlinks = "links.txt"\n'),
    (
        "components.csv",
        b"id,document,offset,size\nd1,x,0,40\nd2,x,40,50\nd3,y,0,9\n",
        BASE,
        f'{ASPECT}[navigation]\ncomponents = "components.csv"\n',
    ),
    ("highlights.txt", PARTS["highlights.txt"], PARTS, PASSAGES),
    ("runs/a.txt", PARTS["runs/a.txt"], PARTS, PASSAGES),
    ("tasks.csv", b"topic,kind\n1,easy\n2,hard\n", BASE, f'{ASPECT}[topics]\ngroups = "tasks.csv"\n'),
    ("long.csv", b"topic,system,measure,score\n1,a,AP,0.5\n1,b,AP,0.25\n2,a,AP,0.1\n2,b,AP,0\n", SCORES, ""),
    ("wide.csv", b"topic,a,b\n1,0.5,0.25\n2,0.1,1e-3\n3,0.7,0.2\n", SCORES, ""),
    ("eval.txt", b"runid all a\nmap 1 0.5\nP_10 1 0.1\nmap 2 0.3\nP_10 2 0.2\nmap all 0.4\n", SCORES, ""),
    ("measures.txt", b"1\tAP\t0.5\n1\tnDCG@10\t0.25\n2\tAP\t0.1\nall\tAP\t0.3\n", SCORES, ""),
    (
        "lines.jsonl",
        b"".join(b'{"topic": "%d", "system": "s", "measure": "AP", "score": 0.%d}\n' % (at, at) for at in (1, 2, 3)),
        SCORES,
        "",
    ),
    (
        "nuggets.jsonl",
        b"".join(
            b'{"qid": "q%d", "run_id": "s", "nuggets": [{"text": "a", "importance": "vital", "assignment": "0"}]}\n'
            % at
            for at in (1, 2, 3)
        ),
        SCORES,
        "",
    ),
)


@pytest.mark.parametrize(("name", "content", "beside", "manifest"), OTHERS, ids=[other[0] for other in OTHERS])
def test_a_line_of_other_kinds_of_files_is_read_counted_or_refused(
    name: str, content: bytes, beside: Mapping[str, bytes], manifest: str
) -> None:
    assert (first := seen({**beside, name: content}, manifest)) is not None
    assert seen({**beside, name: content}, manifest) == first
    for at in range(ROUNDS):
        draw = Random(f"{name} {at}{SEED}")
        drawn = changed(content, draw)
        whole = seen({**beside, name: drawn}, manifest)
        for line, less in shorter(drawn) if whole is not None else ():
            if not SAYS_NOTHING.search(line) and drawn.decode().index(line) > 0:  # a header may say nothing more
                assert seen({**beside, name: less}, manifest) != whole, (line, drawn)
