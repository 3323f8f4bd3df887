"""Roles of columns, read from positive signs: names of measures, topics, rows of means, repeated documents."""

from __future__ import annotations

import json
from itertools import permutations, product

import pytest

import evalcore as ec
from evalcore.data.roles import ORDERS

Files = dict[str, str]
TOPICS = [str(topic) for topic in range(301, 307)]
DOCUMENTS = [f"d{at}" for at in range(8)]
RUN = "".join(
    f"{topic} Q0 {document} {at} {9 - at} sys\n" for topic in TOPICS for at, document in enumerate(DOCUMENTS, 1)
)


def opened(files: Files, manifest: str | None = None) -> ec.Collection:
    return ec.load_files([(name, text.encode()) for name, text in files.items()], manifest=manifest)


def texts(collection: ec.Collection, where: str, kind: str = "") -> str:
    return "\n".join(n.text for n in collection.report.notes if n.where == where and kind in ("", n.kind))


def qrels(line: str) -> str:
    """Fill in `{t}`, `{d}`, `{at}` and `{g}` for every topic and document, a line each; grades are 0 to 2."""
    filled = (line.format(t=t, d=d, at=at, g=at % 3) for t in TOPICS for at, d in enumerate(DOCUMENTS))
    return "".join(f"{text}\n" for text in filled)


# --- scores of several systems in lines ---


def value(system: int, topic: int, measure: int) -> float:
    return round(0.1 + 0.01 * topic + 0.03 * system + 0.002 * measure, 4)


def score_lines(order: tuple[str, ...], separator: str, measures: list[str], systems: list[str]) -> str:
    rows = []
    for (s, system), (t, topic), (m, measure) in product(*map(list, map(enumerate, (systems, TOPICS, measures)))):
        fields = {"system": system, "topic": topic, "measure": measure}
        rows.append(separator.join([*(fields[role] for role in order), f"{value(s, t, m)}"]))
    return "\n".join(rows) + "\n"


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("separator", ["\t", " "])
@pytest.mark.parametrize("measures", [["map"], ["nDCG@10", "map"], ["faithfulness", "f1"]])
@pytest.mark.parametrize("systems", [["run-01", "run-02"], ["bm25", "e5-large"], ["a", "b"]])
def test_lines_of_scores_open_in_every_known_order(order, separator, measures, systems):
    c = opened({"scores.txt": score_lines(order, separator, measures, systems)})
    assert (c.systems, c.topics) == (tuple(systems), tuple(TOPICS))
    for m, measure in enumerate(measures):
        frame = ec.evaluate(f'Score("{measure}")', c)
        assert frame.loc["303", systems[1]] == value(1, 2, m)


@pytest.mark.parametrize("names", [*permutations(["run", "measure", "topic", "value"])])
@pytest.mark.parametrize("separator", ["\t", ","])
def test_a_header_gives_the_order(names, separator):
    rows = [separator.join(names)]
    for (s, system), (t, topic) in product(enumerate(["x1", "x2"]), enumerate(TOPICS)):
        fields = {"run": system, "measure": "GRADE", "topic": topic, "value": str(value(s, t, 0))}
        rows.append(separator.join(fields[name] for name in names))
    c = opened({"scores.csv": "\n".join(rows) + "\n"})
    assert (c.systems, c.topics) == (("x1", "x2"), tuple(TOPICS))
    assert ec.evaluate('Score("GRADE")', c).loc["303", "x2"] == value(1, 2, 0)


@pytest.mark.parametrize("summary", ["all", "mean", "amean"])
def test_rows_of_means_are_compared_and_left_out(summary):
    lines = score_lines(("system", "measure", "topic"), "\t", ["f1"], ["r1", "r2"])
    c = opened({"scores.txt": f"{lines}r1\tf1\t{summary}\t0.125\nr2\tf1\t{summary}\t0.9\n"})
    assert c.topics == tuple(TOPICS)
    assert "2 rows of means" in texts(c, "scores.txt", "dropped")
    assert texts(c, "scores.txt", "warning") == (
        "the mean of 'r2' by 'f1' is 0.9 in line 14, but the mean over its topics is 0.1550"
    )


def test_true_and_false_are_1_and_0():
    c = opened({"a.txt": "".join(f"r{r} answered {t} {bool((int(t) + r) % 2)}\n" for t in TOPICS for r in (1, 2))})
    assert ec.evaluate('Score("answered")', c)["r1"].tolist() == [0, 1] * 3
    assert "12 values True or False: read as 1 and 0" in texts(c, "a.txt")


def test_ambiguous_columns_are_asked_for():
    lines = "".join(f"r{r} m{m} t-{t} 0.{r}{m}\n" for t in "abc" for r in "12" for m in "12")
    with pytest.raises(ec.InputError, match=r"found|expected"):
        opened({"a.txt": lines})


# --- tables ---


def test_a_file_for_each_system_with_a_column_for_each_measure():
    def table(shift: float) -> str:
        rows = [f'"What, then, is {t}?",some words {t},{shift + at / 100},{shift}' for at, t in enumerate(TOPICS)]
        return "\n".join(["user_input,response,faithfulness,context_recall", *rows]) + "\n"

    c = opened({"gpt.csv": table(0.1), "llama.csv": table(0.2)})
    assert c.systems == ("gpt", "llama")
    assert c.topics[0] == "What, then, is 301?"
    assert sorted(c.rankings.given) == ["context_recall", "faithfulness"]


def test_means_without_topics_say_how_to_export_topics():
    with pytest.raises(ec.InputError, match="perquery=True"):
        opened({"results.csv": ",name,map,ndcg,map +\n0,bm25,0.2,0.3,\n1,dph,0.1,0.2,4\n"})


def test_judges_become_variants_of_one_measure():
    line = '{{"run_id": "{}", "topic_id": "{}", "measure": "f1", "value": {}}}\n'
    truth = "".join(line.format(f"r{r}", t, 0.1 * r + int(t) / 1000) for r in (1, 2) for t in TOPICS)
    judged = score_lines(("system", "measure", "topic"), "\t", ["OK"], ["r1", "r2"])
    judges = {f"judge{name}.eval.txt": judged for name in "AB"}
    c = opened({"truth.eval.jsonl": truth, **judges})
    assert list(c.rankings.given) == ["f1 truth", "f1 judgeA", "f1 judgeB"]


# --- labels ---


@pytest.mark.parametrize("rounds", [("0.5", "1", "1.5"), ("1", "2", "3")])
def test_rounds_are_no_subtopics(rounds):
    lines = qrels("{t} {at} {d} {g}").splitlines()
    text = "".join(line.replace(f" {at % 8} ", f" {rounds[at % 3]} ", 1) + "\n" for at, line in enumerate(lines))
    c = opened({"a.run": RUN, "qrels.txt": text})
    assert c.subtopics is None
    assert "the second column (" in texts(c, "qrels.txt")
    table = "topic,iteration,docno,rel\n" + text.replace(" ", ",")
    of_table = opened({"a.run": RUN, "qrels.csv": table})
    assert of_table.subtopics is None
    assert "the column iteration (" in texts(of_table, "qrels.csv")
    declared = opened({"a.run": RUN, "qrels.csv": table.replace("iteration", "subtopic")})
    assert declared.subtopics is not None


def test_a_stratum_is_no_grade():
    text = "".join(f"{t} 0 {d} {1 + at % 2} {at % 3}\n" for t in TOPICS for at, d in enumerate(DOCUMENTS))
    c = opened({"a.run": RUN, "qrels.txt": text})
    assert c.aspects == ("relevance",)
    assert c.assessments.column("relevance")[:3].tolist() == [0, 1, 2]
    assert "the stratum of a sample" in texts(c, "qrels.txt")
    two = opened({"a.run": RUN, "qrels.2aspects.useful-credible": text})
    assert two.aspects == ("usefulness", "credibility")


@pytest.mark.parametrize("line", ["{t} {d} {g} 1 0.3", "{t} {d} {g} 0.25", "{t} {d} {g} 1 0.5 0.25"])
def test_relevance_is_the_third_column_of_prels(line):
    c = opened({"a.run": RUN, "prels": qrels(line)})
    assert c.assessments.column("relevance")[:3].tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("name", "grades", "asked"),
    [
        ("qrels.txt", (1, 2, 3, 4), True),
        ("qrels.txt", (-1, 1, 2, 3, 4), True),
        ("qrels.txt", (0, 1, 2, 3), False),
        ("qrels.txt", (1,), False),
        ("qread.txt", tuple(range(11)), True),
        ("qread.txt", (0, 1, 2, 3), False),
    ],
)
def test_an_uncertain_good_end_is_the_first_warning(name, grades, asked):
    lines = [f"{t} 0 d{at} {grade}\n" for t in TOPICS for at, grade in enumerate(grades)]
    files = {"a.run": RUN, name: "".join(lines)}
    aspect = "understandability" if name == "qread.txt" else "relevance"
    c = opened(files)
    first = c.report.notes[0]
    assert (first.kind == "question") == asked
    if asked:
        assert f'good = "low" under [aspects.{aspect}]' in first.text
        assert all(note.kind != "question" for note in opened(files, manifest=c.manifest).report.notes)


def test_letor():
    lines = "".join(
        f"{at % 3} qid:{t} 1:0.5 2:0 #docid = {d} inc = 1\n" for t in TOPICS for at, d in enumerate(DOCUMENTS)
    )
    c = opened({"a.run": RUN, "test.txt": lines})
    assert c.assessments.documents[:3].tolist() == ["d0", "d1", "d2"]
    assert c.assessments.column("relevance")[:3].tolist() == [0, 1, 2]


def test_queries_as_texts_get_generated_ids():
    c = opened(
        {
            "ratings.csv": 'query,docid,rating\n"red, shoes",1,2\n"red, shoes",2,0\nbag,1,1\nbag,2,0\n',
            "runs/a.csv": 'query,docid,rank\n"red, shoes",1,1\n"red, shoes",2,2\nbag,2,1\nbag,1,2\n',
        }
    )
    assert c.topics == ("bag", "red,_shoes")
    assert c.queries == {"red,_shoes": "red, shoes"}
    assert ec.evaluate("RR", c)["a"].tolist() == [0.5, 1]


def test_a_model_alone_is_the_source_of_its_labels():
    line = '{{"model": "model-x", "query": "q", "passage": "p", "qid": "{}", "docid": "{}", "judgment": {}}}\n'
    text = "".join(line.format(t, d, at % 4) for t in TOPICS for at, d in enumerate(DOCUMENTS))
    c = opened({"a.run": RUN, "judgments.jsonl": text})
    assert 'source = "model-x"' in c.manifest
    assert "there are no human labels" in texts(c, "judgments.jsonl")
    assert c.assessments.scale("relevance").grades == (0, 1, 2, 3)


# --- files beside good ones, and what is missing ---


def test_stray_files_are_listed_with_their_reason():
    c = opened(
        {
            "a.run": RUN,
            "qrels.txt": qrels("{t} 0 {d} {g}"),
            "qstance.txt": qrels("{t} 0 {d} PRO"),
            "data/corpus.json": '[{"id": "d1"}, {"id"',
        }
    )
    assert c.aspects == ("relevance",)
    assert "its labels are words" in texts(c, "qstance.txt", "dropped")
    assert "line 1: expected" in (said := texts(c, "data/corpus.json", "dropped"))
    assert "found an error" in said
    assert "copy or download it again" in said


def test_missing_roles_are_asked_for_with_the_lines_to_write():
    files = {"runs/a.txt": RUN, "mine.txt": "301,d0,2\n301,d1,0\n"}
    with pytest.raises(ec.InputError, match=r"expected assessments, .*, found files that all seem to be runs") as error:
        opened(files)
    message = str(error.value)
    assert "mine.txt begins with '301,d0,2', nearest to a table" in message
    assert 'runs = ["runs/*"]' in message
    assert 'aspects.relevance.file = "mine.txt"' in message


# --- aspects that nobody names ---

THREE = ("relevance", "coherence", "quality")


def three_aspects() -> ec.Collection:
    labels = {
        name: {t: {d: (at + shift) % 3 for at, d in enumerate(DOCUMENTS)} for t in TOPICS}
        for shift, name in enumerate(THREE)
    }
    runs = {
        name: {t: {d: float(step * at % 7) for at, d in enumerate(DOCUMENTS)} for t in TOPICS}
        for name, step in (("a", 2), ("b", 3), ("c", 5))
    }
    return ec.collection(runs, labels)


@pytest.mark.parametrize("text", ["CAM(nDCG@10)", "MM", "GM(AP)", "WHAM", "TOMA(nDCG@10)", "TOMA"])
def test_measures_without_aspects_read_those_of_the_collection(text):
    c, measure = three_aspects(), ec.parse(text)
    named = measure.with_(aspects=THREE)
    for one in (text, measure):
        assert ec.evaluate(one, c).equals(ec.evaluate(named, c))
        assert ec.covered_topics(c, one) == c.topics
    assert str(ec.parse(str(measure))) == str(measure)
    assert [str(p) for p in ec.sensitivity.parameters_of(text, c)] == [
        str(p) for p in ec.sensitivity.parameters_of(named, c)
    ]
    assert len(measure.columns) == 2  # of a plain list, as papers have it


def test_a_measure_of_one_more_aspect_asks_which():
    with pytest.raises(ec.InputError, match=r'choose the aspect to read .*: aspect="coherence" or aspect="quality"'):
        ec.evaluate("uRBP", three_aspects())


# --- roles that a collection.toml declares ---


def declared(files: Files, text: str) -> ec.Collection:
    return opened(files, manifest=text)


@pytest.mark.parametrize("separator", [" ", "\t", ",", ";"])
@pytest.mark.parametrize("header", ["", "a{0}b{0}c{0}d\n"])
@pytest.mark.parametrize("order", [*permutations(["topic", "document", "grade", ""])][::5])
def test_declared_columns_of_labels_are_used(separator, header, order):
    cells = (
        {"topic": t, "document": d, "grade": str(at % 3), "": "9"} for t in TOPICS for at, d in enumerate(DOCUMENTS)
    )
    lines = "".join(separator.join(cell[role] for role in order) + "\n" for cell in cells)
    text = f'runs = "a.run"\n[aspects.relevance]\nfile = "x.dat"\ncolumns = {[*order]}\n'
    c = declared({"a.run": RUN, "x.dat": header.format(separator) + lines}, text)
    plain = opened({"a.run": RUN, "qrels.txt": qrels("{t} 0 {d} {g}")})
    assert ec.evaluate("nDCG", c).equals(ec.evaluate("nDCG", plain))
    assert opened({"a.run": RUN, "x.dat": lines}, manifest=c.manifest).manifest == c.manifest


@pytest.mark.parametrize("order", [*permutations(["topic", "document", "score", "system"])][::3])
def test_declared_columns_of_runs_are_used(order):
    rows = [
        {"topic": t, "document": d, "score": str(9 - at), "system": s}
        for s in ("one", "two") for t in TOPICS for at, d in enumerate(DOCUMENTS)
    ]  # fmt: skip
    lines = "".join("|".join(row[role] for role in order) + "\n" for row in rows)
    text = f'runs = "x.dat"\nrun_columns = {[*order]}\n[aspects.relevance]\nfile = "qrels.txt"\n'
    c = declared({"x.dat": lines, "qrels.txt": qrels("{t} 0 {d} {g}")}, text)
    plain = opened({"one.run": RUN, "qrels.txt": qrels("{t} 0 {d} {g}")})
    assert ec.evaluate("AP", c)["two"].tolist() == ec.evaluate("AP", plain)["one"].tolist()


def test_names_of_label_files_give_topic_judge_and_repeat():
    files = {"a.run": RUN}
    for judge, repeat, t in product(("gpt4", "nist"), ("seed1", "seed2"), TOPICS):
        grades = (f"{d} {(at + len(judge)) % 3}\n" for at, d in enumerate(DOCUMENTS))
        files[f"labels/{judge}.{repeat}.{t}.txt"] = "".join(grades)
    text = 'runs = "a.run"\n[aspects.relevance]\nfile = "labels/{judge}.{repeat}.{topic}.txt"\n'
    c = declared(files, text + 'columns = ["document", "grade"]\n')
    assert list(c.assessments.sources["relevance"].labels) == ["gpt4 seed1", "gpt4 seed2", "nist seed1", "nist seed2"]
    assert c.topics == tuple(TOPICS)
    assert c.assessments.columns["relevance"][:3].tolist() == [1, 2, 0]
    assert opened(files, manifest=c.manifest).fingerprint == c.fingerprint


def test_names_of_run_files_give_system_and_topic():
    files = {f"runs/sys/{t}.csv": "".join(f"{d},{9 - at}\n" for at, d in enumerate(DOCUMENTS)) for t in TOPICS}
    text = 'runs = "runs/{system}/{topic}.csv"\nrun_columns = ["document", "score"]\n'
    text += '[aspects.relevance]\nfile = "qrels.txt"\n'
    c = declared({**files, "qrels.txt": qrels("{t} 0 {d} {g}")}, text)
    plain = opened({"sys.run": RUN, "qrels.txt": qrels("{t} 0 {d} {g}")})
    assert ec.evaluate("AP", c).equals(ec.evaluate("AP", plain))


def test_a_judge_in_a_declared_column_is_a_source():
    lines = "".join(
        f"{t},{d},{j},{(at + (j == 'b')) % 3}\n" for t in TOPICS for at, d in enumerate(DOCUMENTS) for j in "ab"
    )
    text = 'runs = "a.run"\n[aspects.relevance]\nfile = "x.csv"\ncolumns = ["topic", "document", "judge", "grade"]\n'
    assert list(declared({"a.run": RUN, "x.csv": lines}, text).assessments.sources["relevance"].labels) == ["a", "b"]


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ("301,d0,1\n301,d1\n", "x.csv line 2: expected 3 columns, as collection.toml declares, found 2: '301,d1'"),
        ("301,d0,1\n301,d1,x\n", "x.csv line 2: expected a finite number as relevance, found 'x'"),
    ],
)
def test_lines_that_contradict_declared_columns_are_refused(lines, problem):
    text = 'runs = "a.run"\n[aspects.relevance]\nfile = "x.csv"\ncolumns = ["topic", "document", "grade"]\n'
    with pytest.raises(ec.InputError) as refused:
        declared({"a.run": RUN, "x.csv": lines}, text)
    assert str(refused.value) == problem


@pytest.mark.parametrize("columns", ['["topic", "grade"]', '["topic", "topic", "document", "grade"]', '["q", "grade"]'])
def test_unknown_roles_are_refused(columns):
    text = f'runs = "a.run"\n[aspects.relevance]\nfile = "x.csv"\ncolumns = {columns}\n'
    with pytest.raises(ec.InputError, match=r"\[aspects.relevance\]: expected `columns` "):
        declared({"a.run": RUN, "x.csv": "1,d,1\n"}, text)


# --- forms that others would try ---


def lines(text: str) -> str:
    """Fill in a line for every topic and document, a record of JSON or not."""
    return "".join(
        text % {"t": t, "d": d, "g": (at + int(t)) % 3} + "\n" for t in TOPICS for at, d in enumerate(DOCUMENTS)
    )


def test_a_column_called_as_judges_of_answers_call_it_is_a_measure():
    rows = "".join(f'"what is {t}, and why?","some, text",0.{t}\n' for t in TOPICS)
    c = opened({f"{system}.csv": f"question,answer,correctness\n{rows}" for system in ("a", "b")})
    assert (c.systems, len(c.topics), list(c.rankings.given)) == (("a", "b"), 6, ["correctness"])


def test_judgments_without_documents_are_refused_with_what_is_missing():
    record = '{"model": "gpt-4o", "query": "what is %(t)s?", "passage": "text %(d)s", "judgment": %(g)s}'
    with pytest.raises(ec.InputError, match=r"umbrela\.jsonl.*expected a document id \(docid\) beside each judgment"):
        opened({"a.run": RUN, "umbrela.jsonl": lines(record)})


@pytest.mark.parametrize("name", ["umbrela.jsonl", "judgments.jsonl", "gpt-4o.txt"])
def test_labels_called_after_who_gave_them_are_another_source_of_relevance(name):
    record = '{"qid": "%(t)s", "docid": "%(d)s", "model": "gpt-4o", "judgment": %(g)s}'
    c = opened({"a.run": RUN, "qrels.txt": qrels("{t} 0 {d} {g}"),
                name: lines("%(t)s 0 %(d)s %(g)s" if name.endswith("txt") else record)})  # fmt: skip
    assert c.aspects == ("relevance",)
    assert next(iter(c.assessments.sources["relevance"].labels)) == "assessors"
    assert len(c.assessments.sources["relevance"].labels) == 2


def test_letor_without_documents_is_refused_with_what_is_missing():
    with pytest.raises(ec.InputError, match=r"test\.txt: expected `#docid = \.\.\.` after the features, found none"):
        opened({"a.run": RUN, "test.txt": lines("%(g)s qid:%(t)s 1:0.5 2:0.1")})


STRAY = {
    "bad.txt": ("301 Q0 d0 1 9.5\n", "it begins with '301 Q0 d0 1 9.5', nearest to a TREC run"),
    "broken.csv": ("a,b\n1\n", "nearest to a table"),
    "notes.txt": ("some thoughts on runs\n", "which matches no known form"),
    "queries.json": ('[{"id": "301", "text": "x"}, {"id', "copy or download it again"),
    "queries.jsonl": ('{"_id": "301", "text": "x"}\n{"_id"\n', "copy or download it again"),
}


@pytest.mark.parametrize("name", STRAY)
def test_a_file_that_cannot_be_read_is_listed_with_what_it_is_nearest_to(name):
    text, reason = STRAY[name]
    c = opened(
        {"a.txt": RUN, "b.txt": RUN.replace(" 9 sys", " 1 sys"), "qrels.txt": qrels("{t} 0 {d} {g}"), name: text}
    )
    assert (c.systems, c.aspects) == (("a", "b"), ("relevance",))
    assert reason in texts(c, name, "dropped")


# --- folds ---

FOLDS = {
    "fold{fold}/{system}.txt": ("fold{fold}/{run}.txt", ["a"]),
    "runs/{system}.fold{fold}.txt": ("runs/{run}.fold{fold}.txt", ["a", "b"]),
    "runs/Fold_{fold}/{system}.txt": ("runs/Fold_{fold}/{run}.txt", ["a", "b"]),
    "split-{fold}-{system}.run": ("split-{fold}-{run}.run", ["a"]),
}


@pytest.mark.parametrize("pattern", FOLDS)
def test_runs_in_folds_are_asked_about_first_and_joined_when_declared(pattern):
    layout, systems = FOLDS[pattern]
    files = {"qrels.txt": qrels("{t} 0 {d} {g}")}
    for fold, system in product(range(3), systems):
        own = [line for line in RUN.splitlines(keepends=True) if int(line[:3]) % 3 == fold]
        files[layout.format(fold=fold + 1, run=system)] = "".join(own)
    c = opened(files)
    first = c.report.notes[0]
    assert (first.kind, first.where) == ("question", pattern)
    assert f'runs = ["{pattern}"]' in first.text
    text = f'runs = ["{pattern}"]\n[aspects.relevance]\nfile = "qrels.txt"\n'
    joined = declared(files, text)
    assert joined.systems == tuple(systems)
    assert not [note for note in joined.report.notes if note.kind == "question"]
    whole = opened({"a.run": RUN, "qrels.txt": files["qrels.txt"]})
    assert ec.evaluate("AP", joined)["a"].equals(ec.evaluate("AP", whole)["a"])


def test_folds_that_share_topics_are_systems():
    c = opened({"qrels.txt": qrels("{t} 0 {d} {g}"), "fold1/a.txt": RUN, "fold2/a.txt": RUN})
    assert len(c.systems) == 2
    assert c.report.notes[0].kind != "question"


def test_a_rating_is_of_the_query_of_its_list():
    rating = {"docId": "d0", "rating": "2.0"}
    record = {"query": "301", "ratings": [{"query": "301", **rating}]}
    c = opened({"a.run": RUN, "judgments.json": json.dumps({"judgmentRatings": [record]})})
    assert c.topics == ("301",)
    record["ratings"] = [{"query": "302", **rating}]
    with pytest.raises(ec.InputError, match=r"judgments\.json line 1: expected each document under its own query"):
        opened({"a.run": RUN, "judgments.json": json.dumps({"judgmentRatings": [record]})})
