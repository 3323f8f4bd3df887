"""No line is skipped: leaving one out changes what is read or counted, or one of the two is refused."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from random import Random

import pytest
from data.forms import QREL_FORMS, RUN_FORMS, trec, trec_qrels

import evalcore as ec
from evalcore.errors import InputError

pytestmark = pytest.mark.slow

ROUNDS = 3 * int(os.environ.get("FUZZ", "1"))  # of each form; FUZZ=100 takes a quarter of an hour
TOPICS, DOCUMENTS = ("1", "2", "q3"), ("d1", "d2", "d3", "é-4")
PIECES = ("", "0", "-1", "1", "2", "nan", "1e999", "x", "d1", "#", "\ufeff", "1_0", "٣", '"', "1 1", "-1e-320")
FORMS = [("run", *form) for form in RUN_FORMS] + [("qrels", *form) for form in QREL_FORMS]


def seen(files: Mapping[str, bytes]) -> object:
    """Return what files are read as, and their report; None if they are refused."""
    try:
        found = ec.load_files(list(files.items()))
    except InputError:
        return None
    report = found.report
    pool = found.assessments.frame().sort_values(["topic", "document"]).to_csv()
    ranks = [getattr(found.rankings, name).tolist() for name in ("indptr", "rank", "row", "length")]
    return (
        pool,
        ranks,
        report.systems.to_csv(),
        report.columns.to_csv(),
        [(note.where, note.text) for note in report.notes],
    )


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
        random = Random(f"{name} {at}")
        drawn = {t: {d: random.randint(-1, 3) for d in DOCUMENTS if random.random() < 0.8} for t in TOPICS}
        content = changed(write({t: listed or {"d1": 1} for t, listed in drawn.items()}), random)
        run, qrels = ({t: {d: 9 - i for i, d in enumerate(DOCUMENTS)} for t in TOPICS} for _ in range(2))
        beside = ("qrels.txt", trec_qrels(qrels)) if kind == "run" else ("b.run", trec(run))
        whole = seen(dict([(name, content), beside]))
        for line, less in shorter(content) if whole is not None else ():
            assert seen(dict([(name, less), beside])) != whole, (line, content)
