"""What the table of labels on the page Collection writes into the description of the files."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import evalcore as ec
from evalcore.data.manifest import Column, Manifest, parse_manifest, write_manifest
from evalcore.data.structures import Scale
from ui.label_table import with_labels

UNDECLARED = Manifest(columns=(Column(Scale("ease"), "ease.txt"),))
FILES = [("runs/r.run", b"1 Q0 a 1 2 r\n1 Q0 b 2 1 r\n"), ("ease.txt", b"1 0 a 1\n1 0 b 5\n")]


def table(**cells: object) -> pd.DataFrame:
    row = {"good": "high", "scale": "", "positive": np.nan, "missing": ""} | cells
    return pd.DataFrame([row], index=pd.Index(["ease"], name="aspect"))


def test_nothing_changed_says_nothing_new():
    assert with_labels(UNDECLARED, table()) == UNDECLARED


def test_a_scale_typed_in_decides_what_is_positive():
    text = write_manifest(with_labels(UNDECLARED, table(scale="1 2, 3 4,5")))
    assert parse_manifest(text).columns[0].scale.grades == (1, 2, 3, 4, 5)
    both = [ec.evaluate('AP(aspect="ease")', ec.load_files(FILES, manifest=one)) for one in (None, text)]
    assert [scores.to_numpy().item() for scores in both] == [1.0, 0.5]  # the label 1 of document a is the worst now


def test_each_cell():
    changed = with_labels(UNDECLARED, table(good="low", positive=2, missing="9")).columns[0]
    assert (changed.scale.good, changed.scale.threshold, changed.missing) == ("low", 2.0, (9.0,))


def test_names_and_gains_go_with_the_scale_they_belong_to():
    named = Manifest(columns=(Column(Scale("ease", grades=(0, 1), names=("no", "yes"), gains=(0, 1)), "q.txt"),))
    assert with_labels(named, table(scale="0, 2")).columns[0].scale.names == ("no", "yes")
    assert with_labels(named, table(scale="0, 1, 2")).columns[0].scale.names == ()


def test_words_are_refused():
    with pytest.raises(ec.DataError, match=r"ease: expected numbers such as 0, 1, 2, found 'easy, hard'"):
        with_labels(UNDECLARED, table(scale="easy, hard"))
