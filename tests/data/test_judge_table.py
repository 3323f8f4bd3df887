"""`judges.csv`: what the sources of labels are, read with a collection; without it, what their names say."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import evalcore as ec
from evalcore.data.judge_table import by_names, guessed_factors, read_judge_table
from evalcore.data.sources import from_bytes

FILES = {
    "qrels.txt": "t1 0 d1 1\nt1 0 d2 0\n",
    **{f"qrels.{name}.txt": "t1 0 d1 1\nt1 0 d2 1\n" for name in ("gpt4-basic-t0", "gpt4-basic-t1", "llama-basic-t0")},
    "runs/one.txt": "t1 Q0 d1 1 2 one\nt1 Q0 d2 2 1 one\n",
    "runs/two.txt": "t1 Q0 d2 1 2 two\nt1 Q0 d1 2 1 two\n",
}
TABLE = "source,model,temperature,cost\nllama-basic-t0,llama,0,0.1\ngpt4-basic-t1,gpt,1,\ngpt4-basic-t0,gpt,0,2\n"


def loaded(files: dict[str, str], manifest: str | None = None) -> ec.Collection:
    return ec.load_files([(name, text.encode()) for name, text in files.items()], manifest=manifest)


def made_of(collection: ec.Collection) -> pd.DataFrame:
    assert collection.judge_table is not None
    return collection.judge_table


def read(text: str) -> tuple[pd.DataFrame, list[str]]:
    (source,) = from_bytes([("judges.csv", text.encode())])
    table, notes = read_judge_table(source, ["a", "b"], ["nist"])
    return table, [f"{note.kind}: {note.text}" for note in notes]


def test_a_collection_has_a_line_for_each_judge() -> None:
    table = made_of(loaded({**FILES, "judges.csv": TABLE}))
    assert table["model"].to_dict() == {"gpt4-basic-t0": "gpt", "gpt4-basic-t1": "gpt", "llama-basic-t0": "llama"}
    assert table["cost"].fillna(-1).tolist() == [2, -1, 0.1]  # an empty cell is a gap


def test_a_collection_toml_names_it_and_reads_back() -> None:
    found = loaded({**FILES, "judges.csv": TABLE})
    assert '[judges]\nfile = "judges.csv"' in found.manifest
    assert loaded({**FILES, "judges.csv": TABLE}, found.manifest).manifest == found.manifest


def test_without_a_table_the_names_are_guessed_and_may_be_declared() -> None:
    found = loaded(FILES)
    assert 'factors = ["model", "", "temperature"]' in found.manifest
    assert "parts of their names read as what they are: model, temperature" in [
        note.text for note in found.report.notes
    ]
    table = made_of(found)
    assert table.loc["gpt4-basic-t1"].to_dict() == {"model": "gpt4", "temperature": "t1"}
    renamed = loaded(FILES, found.manifest.replace('"temperature"', '"heat"').replace('"model"', '""'))
    assert made_of(renamed).columns.tolist() == ["heat"]


def test_it_is_kept_with_the_collection(tmp_path: Path) -> None:
    for name, text in {**FILES, "judges.csv": TABLE}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    first, again = ec.load(tmp_path), ec.load(tmp_path)
    assert again.report.from_cache
    pd.testing.assert_frame_equal(made_of(first), made_of(again))
    pd.testing.assert_frame_equal(made_of(first), made_of(ec.restrict(again, ["one"])))


def test_frames_say_the_same() -> None:
    labels = {name: {"t1": {"d1": 1, "d2": 0}} for name in ("nist", "a", "b")}
    runs = {"one": {"t1": {"d1": 2.0}}, "two": {"t1": {"d2": 2.0}}}
    judges = pd.DataFrame({"judge": ["b", "a"], "model": ["x", "y"]})
    assert made_of(ec.collection(runs, {"relevance": labels}, judges=judges))["model"].tolist() == ["y", "x"]


def test_another_table_is_another_collection() -> None:
    tables = (TABLE, TABLE.replace("llama,", "llama3,"))
    assert len({loaded({**FILES, "judges.csv": table}).fingerprint for table in tables}) == 2


def test_strangers_and_missing_judges_are_noted_and_people_may_stand_there() -> None:
    table, notes = read("judge,model\na,x\nelse,x\nnist,people\n")
    assert table["model"].to_dict() == {"a": "x", "nist": "people"}
    assert notes == [
        "dropped: 1 judge not among the judges, not used: 'else'",
        "warning: 1 judge not in the table: 'b'",
    ]


def test_a_judge_may_be_spelled_as_its_file_is() -> None:
    table, notes = read("judge,model\nA,x\n-b.,y\n")
    assert (table["model"].to_dict(), notes) == ({"a": "x", "b": "y"}, [])


@pytest.mark.parametrize(("text", "line", "problem"), [
    ("judge,model\na,x\nb,y\na,z\n", 4, "expected each judge once, found 'a' again with other cells"),
    ("judge,model\na,x\n,y\n", 3, "expected the name of a judge, found an empty cell"),
    ("name,model\na,x\n", 1, "expected a column judge and others that say something of it, found 'name', 'model'"),
    ("judge,cost\na,1\nb,much\n", 3, "expected a cost of 0 or more, found 'much'"),
    ("judge,cost\na,-1\n", 2, "expected a cost of 0 or more, found '-1'"),
    ("judge,model\na,x\nb,x,y\n", 3, "expected 2 cells, as in the header, found 3"),
])  # fmt: skip
def test_mistakes_are_named_with_file_and_line(text: str, line: int, problem: str) -> None:
    with pytest.raises(ec.InputError, match=problem) as found:
        read(text)
    assert (found.value.where, found.value.line) == ("judges.csv", line)


@pytest.mark.parametrize(("entry", "problem"), [
    ("", "expected either the key file or the key factors"),
    ('file = "judges.csv"\nfactors = ["a"]', "expected either the key file or the key factors"),
    ('factors = ["a", "a", ""]', "expected different names of factors"),
    ('factors = ["a", "b"]', "expected two judges or more whose names have 2 parts, found 0"),
])  # fmt: skip
def test_a_description_that_cannot_be_is_refused(entry: str, problem: str) -> None:
    manifest = loaded(FILES).manifest
    with pytest.raises(ec.InputError, match=problem):
        loaded(FILES, manifest[: manifest.index("[judges]")] + f"[judges]\n{entry}\n")


@pytest.mark.parametrize(("names", "factors"), [
    (["nist", "a"], ()),  # two judges tell nothing apart by parts
    (["a-b", "c", "d-e"], ()),  # each part of those alike is its own
    (["x-1", "x-2", "y-1", "other"], ("part 1", "part 2")),  # one that is called otherwise does not hinder
    (["gpt-t0.7", "gpt-t0", "llama-t0"], ("model", "temperature")),
    (["team gpt4 zero-shot", "team gpt4 few-shot", "team llama3 few-shot"], ("", "model", "part 3", "")),
])  # fmt: skip
def test_factors_are_guessed_where_parts_group(names: list[str], factors: tuple[str, ...]) -> None:
    assert guessed_factors(names) == factors


UNLIKE = [
    "llama3-8b_p1_t0.2",
    "llama3-8b_p2",
    "gpt-4o.basic",
    "gpt-4o-mini.cot_t0.7",
    "umbrela-gpt4o-v2",
    "qwen2_zeroshot_r3",
    "qwen2_zeroshot_r1",
    "claude-3-5-sonnet_cot_t0.7_r1",
    "gpt-3.5-turbo-0125_few-shot",
    "deepseek-r1_p1",
    "mixtral-8x7b-instruct_p3",
    "flan-t5-xl_p1",
]


def test_names_with_unlike_many_parts_are_read_by_what_the_parts_look_like() -> None:
    assert guessed_factors([*UNLIKE, "nist"]) == ("model", "prompt", "temperature", "repeat")
    table = by_names([*UNLIKE, "nist"], ["model", "prompt", "temperature", "repeat"])
    assert table["model"].to_dict() == dict(zip(UNLIKE, [
        "llama3-8b", "llama3-8b", "gpt-4o", "gpt-4o-mini", "gpt4o", "qwen2", "qwen2", "claude-3-5-sonnet",
        "gpt-3.5-turbo-0125", "deepseek-r1", "mixtral-8x7b-instruct", "flan-t5-xl",
    ], strict=True))  # fmt: skip
    assert table.loc["umbrela-gpt4o-v2", "prompt"] == "umbrela-v2"
    assert table.loc["gpt-3.5-turbo-0125_few-shot", "prompt"] == "few-shot"
    assert table["temperature"].dropna().to_dict() == {
        "llama3-8b_p1_t0.2": "t0.2", "gpt-4o-mini.cot_t0.7": "t0.7", "claude-3-5-sonnet_cot_t0.7_r1": "t0.7",
    }  # fmt: skip
    assert table["repeat"].dropna().tolist() == ["r3", "r1", "r1"]


def test_places_that_somebody_named_stay_where_parts_are_as_many() -> None:
    """A model nobody knows here, and parts of a model's name apart, as descriptions of before had them."""
    table = by_names(["mymodel-a", "other-b"], ["model", "prompt"])
    assert table.to_dict("list") == {"model": ["mymodel", "other"], "prompt": ["a", "b"]}
    assert by_names(["gpt-4_a", "gpt-3_b"], ["", "model", "prompt"])["model"].tolist() == ["4", "3"]
