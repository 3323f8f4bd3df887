"""What a command prints, whatever it is made of."""

from __future__ import annotations

import json

import numpy as np
import pytest

from evalcore.cli.output import json_text


def test_json_has_a_record_on_a_line_and_letters_as_they_are():
    assert json_text([{"Größe": 1}, {"Größe": "日本"}]) == '[\n{"Größe": 1},\n{"Größe": "日本"}\n]\n'
    assert json_text({"Größe": [1]}) == '{\n  "Größe": [\n    1\n  ]\n}\n'
    assert json_text([]) == "[]\n"


@pytest.mark.parametrize(
    ("number", "written"),
    [(float("nan"), None), (np.float64("nan"), None), (float("inf"), "Infinity"), (-np.inf, "-Infinity")],
)
def test_json_has_no_word_for_what_is_no_number_and_a_text_for_infinity(number, written):
    assert json.loads(json_text([{"a": number, 2: (np.int64(3), number)}])) == [{"a": written, "2": [3, written]}]
