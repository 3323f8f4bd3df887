"""Specifications as TOML: they read back to the same, have a digest, and mistakes are named by file and choice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import evalcore as ec
from evalcore.claims import Choice, Option, Specifications, digest, parse_specifications, text, write_specifications
from evalcore.errors import InputError

NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6)
WEIGHTS = st.floats(0.25, 4)
NUMBERS = st.floats(-1e6, 1e6).map(lambda value: value + 0.0)  # no minus zero
VALUES = NUMBERS | NAMES.filter(lambda name: name != "none") | st.none() | st.lists(NUMBERS, max_size=3).map(tuple)
TABLES = st.dictionaries(NAMES, st.floats(0, 9).map(abs), min_size=1, max_size=3).map(
    lambda table: tuple(table.items())
)
SETS = st.sampled_from(["all", "half 7", "other half 7"]) | st.lists(NAMES, min_size=1, max_size=3).map(tuple)


def options(values: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Option, ...]]:
    option_strategy = st.builds(Option, NAMES, values, WEIGHTS)
    return st.lists(option_strategy, min_size=1, max_size=4, unique_by=lambda option: option.name).map(tuple)


def choices() -> st.SearchStrategy[tuple[Choice, ...]]:
    kinds = [
        st.builds(Choice, st.just("p"), st.just("parameter"), options(VALUES), NAMES, st.lists(NAMES).map(tuple)),
        st.builds(Choice, st.just("w"), st.just("aspect weights"), options(TABLES)),
        st.builds(Choice, st.just("u"), st.just("unassessed"), options(st.sampled_from(["0", "left out", "1"]))),
        st.builds(Choice, st.just("t"), st.just("topics"), options(SETS)),
    ]
    first = st.builds(Choice, st.just("m"), st.just("measures"), options(st.sampled_from(["AP", "RBP(rho=0.5)"])))
    return st.tuples(first, *kinds)


@given(st.builds(Specifications, choices(), NAMES | st.just(""), st.integers(1, 9999), st.integers(0, 99)))
def test_the_text_reads_back_to_the_same_specifications(specifications: Specifications) -> None:
    assert parse_specifications(write_specifications(specifications)) == specifications


def example() -> str:
    """Return the example in the docstring of the module under test."""
    return (text.__doc__ or "").split("\n\n", 1)[1].replace("\n    ", "\n").strip()


def test_the_example_of_the_docstring_is_read() -> None:
    found = parse_specifications(example())
    assert [choice.name for choice in found.choices] == [
        "measure",
        "readability threshold",
        "aspect weights",
        "unassessed documents",
        "topics",
    ]
    assert found.choices[1].numbers == (10, 12, 14, 16, 18, 20)  # "10 to 20, 6 steps": both ends included


def test_the_digest_depends_only_on_the_meaning_and_never_changes() -> None:
    found = parse_specifications(example())
    assert digest(found) == "35dd0ece6e4a"  # as in the first version, because papers cite it
    assert digest(parse_specifications(write_specifications(found))) == digest(found)
    assert digest(parse_specifications(example().replace("seed = 0", "seed = 1"))) != digest(found)


MEASURES = '[[choice]]\nname = "m"\nmeasures = ["AP"]\n'


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("most = 3", "specs.toml: expected one choice of measures, first in the list"),
        ("[[choice]]\nmeasures = []", "specs.toml, choice 1: expected a name, found none"),
        ('[[choice]]\nname = "m"\nmeasures = ["AQ"]', "specs.toml, choice 'm': expected a measure"),
        (MEASURES + '[[choice]]\nname = "rho"\nvalues = [1]', "choice 'rho': expected one of measures, parameter"),
        (
            MEASURES + '[[choice]]\nname = "rho"\nparameter = "rho"\nvalues = "1 to 2"',
            "specs.toml, choice 'rho': expected a list, or \"LOW to HIGH, N steps\"",
        ),
        (
            MEASURES + '[[choice]]\nname = "rho"\nparameter = "rho"\nvalues = "2 to 1, 3 steps"',
            "with LOW < HIGH and N from 2 to 1,000, found '2 to 1, 3 steps'",
        ),
        (
            MEASURES + '[[choice]]\nname = "rho"\nparameter = "rho"\nvalues = [0.5, 0.5]',
            "choice 'rho': expected options with different names, found 0.5, 0.5",
        ),
        (
            MEASURES + '[[choice]]\nname = "rho"\nparameter = "rho"\nvalues = [0.5]\nweights = [1, 2]',
            "choice 'rho': expected weights for 1 options, found 2",
        ),
        (
            MEASURES + '[[choice]]\nname = "u"\nunassessed = [2]',
            "choice 'u': expected one of 0, left out, 1, found '2'",
        ),
        (MEASURES + '[[choice]]\nname = "t"\ntopics = ["some"]', 'choice \'t\': expected topics, "all", "half N"'),
        (
            MEASURES + '[[choice]]\nname = "w"\naspect_weights = [{ a = -1 }]',
            "choice 'w': expected a weight of 0 or more",
        ),
        (
            MEASURES + '[[choice]]\nname = "x"\nparameter = "rho"\nvalues = [true, nan]',
            "choice 'x': expected finite numbers, strings or lists of these, found 'True'",
        ),
        (MEASURES.replace('"m"', '"effect"'), "choice 'effect': expected a name that is not a column of the table"),
        (MEASURES + MEASURES, "specs.toml: expected one choice of measures, first in the list"),
    ],
)
def test_a_mistake_is_named_with_its_file_and_choice(content: str, problem: str) -> None:
    with pytest.raises(InputError) as error:
        parse_specifications(content)
    assert problem in str(error.value)


def test_specifications_come_from_a_file_its_text_or_a_collection(tmp_path: Path) -> None:
    (tmp_path / "specs.toml").write_text(MEASURES)
    read = ec.specifications(tmp_path / "specs.toml")
    assert read == ec.specifications(MEASURES) == ec.specifications(read)
    with pytest.raises(InputError, match=r"none\.toml: cannot read the file of specifications: "):
        ec.specifications(tmp_path / "none.toml")
