"""CSV, TSV and Parquet in place of TREC files."""

from __future__ import annotations

import io
from collections.abc import Callable

import pandas as pd
import pytest

import evalcore as ec

QRELS = b"1 0 d1 1\n1 0 d2 0\n2 0 d1 2\n"
RUN = b"1 Q0 d1 1 3.0 x\n1 Q0 d2 2 2.0 x\n2 Q0 d1 1 1.0 x\n"


def csv(text: str) -> bytes:
    return text.encode()


def tsv(text: str) -> bytes:
    return text.replace(",", "\t").encode()


def semicolons(text: str) -> bytes:
    return text.replace(",", ";").encode()


def quoted(text: str) -> bytes:
    lines = [",".join(f'"{cell}"' for cell in line.split(",")) for line in text.splitlines()]
    return "\n".join(lines).encode()


def parquet(text: str) -> bytes:
    buffer = io.BytesIO()
    pd.read_csv(io.StringIO(text)).to_parquet(buffer)
    return buffer.getvalue()


FORMS = [csv, tsv, semicolons, quoted, parquet]


def test_a_run_without_a_system_is_called_after_its_file():
    c = ec.load_files([("qrels.txt", QRELS), ("mine.csv", b"topic,docid,score\n1,d2,1\n1,d1,2\n")])
    assert (c.systems, c.rankings.row.tolist()) == (("mine",), [0, 1])


@pytest.mark.parametrize("form", FORMS)
def test_signals(form: Callable[[str], bytes]):
    text = "docid,fog,spam\nd1,9.5,80\nd2,,99\n"
    c = ec.load_files([("qrels.txt", QRELS), ("a.run", RUN), ("signals.table", form(text))])
    assert c.signals == ("fog", "spam")
    assert c.assessments.frame().drop_duplicates("document")["spam"].tolist() == [80, 99]
    assert c.assessments.scale("fog").good == "low"


def test_one_signal_is_called_after_its_file():
    c = ec.load_files([("qrels.txt", QRELS), ("a.run", RUN), ("fog.csv", b"docid,value\nd1,9.5\n")])
    assert c.signals == ("fog",)


def test_ids_stay_text():
    tables = b"topic,docid,relevance\n001,NA,1\n001,1e3,0\n"
    c = ec.load_files([("labels.csv", tables), ("a.run", b"001 Q0 NA 1 1 x\n")])
    assert (c.topics, c.assessments.documents.tolist()) == (("001",), ["NA", "1e3"])


ASSESSMENTS = {
    "a word after blank lines": (
        b"\ntopic,docid,relevance\n1,d1,1\n\n\n1,d2,high\n",
        "t.csv line 6: expected a finite number as relevance, found 'high'",
    ),
    "no id": (
        b"topic,docid,relevance\n1,d1,1\n,d2,1\n",
        "t.csv line 3: expected a topic id without spaces, found an empty cell",
    ),
    "too few cells": (
        b"topic,docid,relevance\n1,d1,1\n1,d2\n",
        "t.csv line 3: expected 3 cells, as in the header, found 2",
    ),
    "two labels": (
        b"topic,docid,relevance\n1,d1,1\n1,d1,0\n",
        "t.csv line 3: expected one relevance label for topic '1', document 'd1', found 0 after 1 in line 2",
    ),
    "one column twice": (
        b"topic,doc_id,docno,relevance\n1,d1,d1,1\n",
        "t.csv: expected one column for each meaning, found two for 'document'",
    ),
    "all empty": (b"topic,docid,relevance\n1,d1,\n", "t.csv: expected relevance labels, found none"),
    "an open quote": (
        b'topic,docid,relevance\n1,d1,"1\n1,d2,0\n',
        "t.csv: expected a closing quotation mark for each opening one, found a cell that continues to the end",
    ),
    "no parquet after all": (
        b"PAR1 and nothing else",
        "t.csv: expected a readable Parquet table, found a damaged one",
    ),
}


RUNS = {
    "an infinite score": (
        b"system,topic,docid,score\nb,1,d1,1\nc,1,d1,1\nb,1,d2,inf\n",
        "runs/b.csv line 4: expected a finite number as score, found 'inf'",
    ),
    "no rank and no score": (
        b"topic,docid,tag\n1,d1,x\n",
        "runs/b.csv: expected a column rank or score, found neither",
    ),
    "no topic": (
        b"docid,score,x\nd1,1,1\n",
        "runs/b.csv: expected a column 'topic' (or topic_id, query, query_id), found document, score, x",
    ),
    "a system without a name": (
        b"system,topic,docid,score\na,1,d1,1\n,1,d1,1\n",
        "runs/b.csv line 3: expected a system's name, found an empty cell",
    ),
    "only a header": (
        b"topic,docid,score\n",
        "runs/b.csv: expected ranked documents, found none below the header",
    ),
}


@pytest.mark.parametrize(("content", "message"), ASSESSMENTS.values(), ids=ASSESSMENTS)
def test_broken_assessments(content, message, refusal):
    assert refusal({"t.csv": content, "a.run": RUN}) == message


@pytest.mark.parametrize(("content", "message"), RUNS.values(), ids=RUNS)
def test_broken_runs(content, message, refusal):
    assert refusal({"qrels.txt": QRELS, "runs/a.run": RUN, "runs/b.csv": content}) == message


def test_a_missing_column(refusal):
    toml = b'runs = "a.run"\n[aspects.relevance]\nfile = "t.csv"\ncolumn = "rel_1"\n'
    table = b"topic,docid,rel_0,rel_2\n1,d1,1,2\n"
    expected = "t.csv: expected a column 'rel_1', found only rel_0, rel_2"
    assert refusal({"collection.toml": toml, "t.csv": table, "a.run": RUN}) == expected


def test_an_empty_id_among_numbers_is_reported(refusal):
    table = pd.DataFrame({"topic": [1.0, None], "docid": ["d1", "d2"], "relevance": [1, 0]})
    buffer = io.BytesIO()
    table.to_parquet(buffer)
    message = refusal({"t.parquet": buffer.getvalue(), "a.run": RUN})
    assert message == "t.parquet line 2: expected a topic id without spaces, found an empty cell"


def test_a_fraction_is_refused_as_an_id(refusal):
    table = pd.DataFrame({"topic": [1.0, 1.5], "docid": ["d1", "d2"], "relevance": [1, 0]})
    buffer = io.BytesIO()
    table.to_parquet(buffer)
    message = refusal({"t.parquet": buffer.getvalue(), "a.run": RUN})
    assert message == "t.parquet line 2: expected a whole number as topic id, found '1.5'"


def test_an_index_in_parquet_is_a_column():
    table = pd.DataFrame({"topic": ["1"], "docid": ["d1"], "relevance": [1]}).set_index("topic")
    buffer = io.BytesIO()
    table.to_parquet(buffer)
    assert ec.load_files([("t.parquet", buffer.getvalue()), ("a.run", RUN)]).aspects == ("relevance",)


# Headers


TOPICS = [(topic, f"d{at}", at) for topic in ("1", "2") for at in range(6)]


def headed(**columns: str) -> ec.Collection:
    """A table of labels with these columns, of which each cell is made from the row's number."""
    rows = [[topic, d, *(cell.format(at=at, g=at % 3) for cell in columns.values())] for topic, d, at in TOPICS]
    text = "\n".join([",".join(["qid", "docno", *columns]), *(",".join(row) for row in rows)])
    run = b"1 Q0 d1 1 2.5 x\n2 Q0 d2 1 2.5 x\n"
    return ec.load_files([("a.run", run), ("labels.csv", text.encode())])


def test_a_column_of_an_aspect_is_never_left_out():
    with pytest.raises(
        ec.InputError, match=r"^labels\.csv line 2: expected a finite number as relevance, found 'high'"
    ):
        headed(Relevance="high", depth="{g}")


def test_two_columns_of_one_aspect_are_two_sources_of_it():
    c = headed(relevance_human="{g}", relevance_gpt4="{g}")
    assert (c.aspects, list(c.assessments.sources["relevance"].labels)) == (("relevance",), ["human", "gpt4"])


@pytest.mark.parametrize("topics", [("101.0", "102.0"), ("101.0",)])
def test_topics_that_a_table_made_decimal_are_whole(topics: tuple[str, ...]) -> None:
    """Topics 101.0 of a CSV are 101; a topic 1.0 of a TREC file stays 1.0."""
    labels = "qid,docno,rel\n" + "".join(f"{topic},d{at},{at}\n" for topic in topics for at in (0, 1))
    run = "".join(f"{topic[:3]} Q0 d1 1 2 x\n" for topic in topics)
    c = ec.load_files([("a.run", run.encode()), ("qrels.csv", labels.encode())])
    assert c.topics == tuple(topic[:3] for topic in topics)
    table = "qid,docno,rank\n" + "".join(f"{topic},d1,1\n" for topic in topics)
    qrels = "".join(f"{topic[:3]} 0 d1 1\n" for topic in topics)
    ranked = ec.load_files([("a.csv", table.encode()), ("qrels.txt", qrels.encode())])
    assert ec.evaluate("RR", ranked)["a"].tolist() == [1.0] * len(topics)
