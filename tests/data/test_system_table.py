"""`systems.csv`: what systems are made of, read with a collection."""

from __future__ import annotations

import pandas as pd
import pytest

import evalcore as ec
from evalcore.data.sources import from_bytes
from evalcore.data.system_table import read_system_table

FILES = {
    "qrels.txt": "t1 0 d1 1\nt1 0 d2 0\n",
    "runs/one.txt": "t1 Q0 d1 1 2 one\nt1 Q0 d2 2 1 one\n",
    "runs/two.txt": "t1 Q0 d2 1 2 two\nt1 Q0 d1 2 1 two\n",
}
TABLE = "system,stemmer,depth\ntwo,porter,100\none,,50\n"


def made_of(table: str, name: str = "systems.csv") -> pd.DataFrame:
    found = loaded(table, name).system_table
    assert found is not None
    return found


def loaded(table: str, name: str = "systems.csv", **more: str) -> ec.Collection:
    files = {**FILES, name: table, **more}
    return ec.load_files([(name, text.encode()) for name, text in files.items()])


def read(text: str, systems: tuple[str, ...] = ("one", "two")) -> tuple[pd.DataFrame, list[str]]:
    (source,) = from_bytes([("systems.csv", text.encode())])
    table, notes = read_system_table(source, systems)
    return table, [f"{note.kind}: {note.text}" for note in notes]


def test_a_collection_has_a_line_for_each_system_in_its_own_order():
    table = made_of(TABLE)
    assert table.index.tolist() == ["one", "two"]
    assert table["depth"].tolist() == [50, 100]
    assert table["stemmer"].isna().tolist() == [True, False]  # an empty cell is a gap


@pytest.mark.parametrize(("name", "text"), [
    ("systems.tsv", "run_id\tstemmer\tdepth\ntwo\tporter\t100\none\t\t50\n"),
    ("Systems.csv", "tag;stemmer;depth\ntwo;porter;100\none;;50\n"),
])  # fmt: skip
def test_it_may_be_written_in_other_ways(name, text):
    pd.testing.assert_frame_equal(made_of(text, name), made_of(TABLE))


def test_a_collection_toml_names_it():
    toml = '[aspects.relevance]\nfile = "qrels.txt"\n[systems]\nfile = "made_of.csv"\n'
    found = loaded(TABLE, "made_of.csv", **{"collection.toml": toml})
    assert found.system_table is not None
    pd.testing.assert_frame_equal(found.system_table, made_of(TABLE))
    again = ec.load_files([(name, text.encode()) for name, text in {**FILES, "made_of.csv": TABLE}.items()],
                          manifest=found.manifest)  # fmt: skip
    assert again.manifest == found.manifest


def test_it_is_restricted_with_its_collection():
    table = ec.restrict(loaded(TABLE), ["one"]).system_table
    assert table is not None
    assert table.index.tolist() == ["one"]


def test_unknown_systems_are_noted_and_missing_ones_are_gaps():
    table, notes = read("system,stemmer\none,porter\nelse,porter\n")
    assert table["stemmer"].fillna("?").tolist() == ["porter", "?"]
    assert notes == [
        "dropped: 1 system not in the collection and not used: 'else'",
        "warning: 1 system not in the table: 'two'",
    ]


@pytest.mark.parametrize(("text", "line", "problem"), [
    ("system,stemmer\none,a\ntwo,b\none,c\n", 4, "expected each system once, found 'one' again"),
    ("system,stemmer\none,a\n,b\n", 3, "expected the name of a system, found an empty cell"),
    ("name,stemmer\none,a\n", 1, "other columns that describe each system, found 'name', 'stemmer'"),
    ("system,stemmer\none,a\ntwo,a,b\n", 3, "expected 2 cells, as in the header, found 3"),
])  # fmt: skip
def test_mistakes_are_named_with_file_and_line(text, line, problem):
    with pytest.raises(ec.InputError, match=problem) as found:
        read(text)
    assert (found.value.where, found.value.line) == ("systems.csv", line)
