"""Answers with the nuggets that they support: forms of files, and errors with their lines."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from measures.small import numbers

import evalcore as ec
from evalcore.measures import suggestions

ANSWERS = [
    (
        "q1",
        "rag",
        [("a fact", "vital", "support"), ("another", "vital", "partial_support"), ("more", "okay", "support")],
    ),
    (
        "q1",
        "llm",
        [("a fact", "vital", "not_support"), ("another", "vital", "support"), ("more", "okay", "not_support")],
    ),
    ("q2", "rag", [("it", "okay", "partial_support")]),
    ("q2", "llm", [("it", "okay", "support")]),
]


def records(answers) -> list[dict]:
    return [
        {
            "query": "Why?",
            "qid": topic,
            "run_id": system,
            "nuggets": [{"text": text, "importance": how, "assignment": what} for text, how, what in nuggets],
        }
        for topic, system, nuggets in answers
    ]


def lines(answers) -> str:
    return "".join(json.dumps(record) + "\n" for record in records(answers))


TABLE = "qid,run_id,nugget,importance,assignment\n" + "".join(
    f"{topic},{system},{','.join(nugget)}\n" for topic, system, nuggets in ANSWERS for nugget in nuggets
)
RECORDS = [
    dict(zip(("question", "system", "nugget", "importance", "assignment"), (topic, system, *nugget), strict=True))
    for topic, system, nuggets in ANSWERS
    for nugget in nuggets
]
FORMS = {
    "lines": {"answers.jsonl": lines(ANSWERS)},
    "lines with a line separator inside": {"answers.jsonl": lines(ANSWERS).replace("Why?", "Why\u2028?")},
    "a list": {"answers.json": json.dumps(records(ANSWERS), indent=1)},
    "a file for each system": {
        f"{system}.jsonl": lines([one for one in ANSWERS if one[1] == system]).replace(f'"run_id": "{system}", ', "")
        for system in ("rag", "llm")
    },
    "a table": {"answers.csv": TABLE},
    "records": {"answers.json": json.dumps(RECORDS)},
}


@pytest.fixture
def opened(folder_of):
    return lambda files: ec.load(folder_of({name: text.encode() for name, text in files.items()}))


@pytest.mark.parametrize("files", FORMS.values(), ids=FORMS)
def test_answers_are_scored_by_their_nuggets(opened, files):
    """On q1, rag has 1.5 of 2 vital and 1 okay, llm 1 of 2 and 0. On q2, without vital ones: half of one, and one."""
    c = opened(files)
    found = ec.evaluate("NuggetRecall", c)
    assert found["rag"].tolist() == [2.0 / 2.5, 0.5]
    assert found["llm"].tolist() == [1.0 / 2.5, 1.0]
    assert str(suggestions(c)["First look"][0]) == "NuggetRecall"


@pytest.mark.parametrize(
    ("text", "rag", "llm"),
    [
        ("NuggetRecall(okay=0)", [0.75, 0], [0.5, 0]),  # vital_score
        ("NuggetRecall(okay=1)", [2.5 / 3, 0.5], [1 / 3, 1]),  # all_score
        ("NuggetRecall(okay=0, partial=0)", [0.5, 0], [0.5, 0]),  # strict_vital_score
        ("NuggetRecall(okay=1, partial=0)", [2 / 3, 0], [1 / 3, 1]),  # strict_all_score
    ],
)
def test_the_scores_of_autonuggetizer(opened, text, rag, llm):
    found = ec.evaluate(text, opened(FORMS["lines"]))
    assert (found["rag"].tolist(), found["llm"].tolist()) == (rag, llm)


def test_a_share_of_a_nugget_counts_proportionally(opened):
    table = "qid,run_id,nugget,assignment\nq1,rag,x,0.25\nq1,rag,y,1\nq1,llm,x,0\nq1,llm,y,0\n"
    found = ec.evaluate("NuggetRecall", opened({"nuggets.csv": table}))
    assert found.loc["q1"].to_dict() == {"rag": 0.625, "llm": 0}


def test_a_list_of_nuggets_is_not_read_as_an_answer(opened):
    """The tool that creates nuggets writes such a list, before anything is assigned."""
    created = '{"query": "Why?", "qid": "q1", "nuggets": [{"text": "a fact", "importance": "vital"}]}\n'
    c = opened({"nuggets.jsonl": created, "answers.jsonl": lines(ANSWERS)})
    assert ec.evaluate("NuggetRecall", c)["rag"].tolist() == [0.8, 0.5]


def test_two_judges_of_the_same_answers(opened):
    strict = [(t, s, [(text, how, "not_support") for text, how, _ in nuggets]) for t, s, nuggets in ANSWERS]
    c = opened({"gpt/answers.jsonl": lines(ANSWERS), "people/answers.jsonl": lines(strict)})
    assert ec.evaluate('NuggetRecall(judge="gpt")', c)["rag"].tolist() == [0.8, 0.5]
    assert ec.evaluate('NuggetRecall(judge="people")', c)["rag"].tolist() == [0, 0]
    assert ec.evaluate("NuggetRecall", c)["rag"].tolist() == [0, 0]  # as with labels: those of people lead
    with pytest.raises(ec.InputError, match="found assignments by 'people', 'gpt'"):
        ec.evaluate('NuggetRecall(judge="llama")', c)


def test_without_nuggets_the_measure_explains_the_required_files(opened):
    with pytest.raises(ec.InputError, match=r"expected assignments of nuggets \(num_vital\), found map"):
        ec.evaluate("NuggetRecall", opened({"map.csv": "topic,a,b\nt1,1,2\n"}))


def broken(**changes) -> str:
    """Return lines of which the second has another first nugget."""
    nuggets = [dict(zip(("text", "importance", "assignment"), ANSWERS[1][2][0], strict=True)) | changes]
    return lines(ANSWERS[:1]) + json.dumps({"qid": "q1", "run_id": "llm", "nuggets": nuggets}) + "\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (broken(assignment="maybe"), "a.jsonl line 2: expected support, partial_support, not_support, or a share"),
        (
            broken(assignment=None),
            "a.jsonl line 2: expected an assignment (assignment, support, supported), found none",
        ),
        (broken(importance="nice"), "a.jsonl line 2: expected a nugget to be vital or okay, found 'nice'"),
        (broken(text=""), "a.jsonl line 2: expected a nugget (nugget, nugget_id, nugget_text), found none"),
        (lines(ANSWERS) + lines(ANSWERS[:1]), "a.jsonl line 5: expected one answer of 'rag' to topic 'q1'"),
        (lines([("q1", "rag", [ANSWERS[0][2][0]] * 2)]), "a.jsonl line 1: expected each nugget once in an answer"),
        (lines(ANSWERS) + '{"qid": "q3", "run_id": "x"}\n', "a.jsonl line 5: expected a list of nuggets, found null"),
        (lines(ANSWERS) + '{"qid": ', "a.jsonl line 5: expected an answer (JSON), found an error"),
    ],
)
def test_a_broken_answer_is_refused_with_its_line(opened, text, message):
    with pytest.raises(ec.InputError) as error:
        opened({"a.jsonl": text})
    assert str(error.value).startswith(message)


ASSIGNED = {"support": 1.0, "partial_support": 0.5, "not_support": 0.0}
NUGGETS = st.lists(st.tuples(st.sampled_from(["vital", "okay"]), st.sampled_from([*ASSIGNED])), max_size=5)


@given(st.lists(NUGGETS, min_size=1, max_size=4), numbers(0, 1), numbers(0, 1))
def test_nugget_recall_equals_a_loop(answers, okay, partial):
    """Each nugget of the text weighs 1 or `okay`, and counts 1 or `partial`; without nuggets the score is 0."""
    given = [
        (f"q{at}", system, [(str(k), how, what) for k, (how, what) in enumerate(nuggets)])
        for at, nuggets in enumerate(answers)
        for system in ("a", "b")
    ]
    c = ec.load_files([("answers.jsonl", lines(given).encode())])
    found = ec.evaluate(f"NuggetRecall(okay={okay!r}, partial={partial!r})", c)
    for topic, system, nuggets in given:
        weights = [1.0 if how == "vital" else okay for _, how, _ in nuggets]
        counts = [{**ASSIGNED, "partial_support": partial}[what] for _, _, what in nuggets]
        supported = sum(weight * count for weight, count in zip(weights, counts, strict=True))
        expected = supported / sum(weights) if sum(weights) else 0.0
        assert found.loc[topic, system] == pytest.approx(expected, abs=1e-12)
