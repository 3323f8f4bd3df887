"""Pages that show TOMA state which embedding it uses, if this matters, and offer the other one."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from app_support import open_app
from evalcore.measures import TOMA, parse
from evalcore.measures.toma import with_embedding

PAIR = 'TOMA(nDCG, aspects=["relevance", "understandability"], distance=Euclidean)'  # 3 labels and 4
STEPS = 'TOMA(nDCG, aspects=["relevance", "understandability"], distance=Euclidean, embedding="equal steps")'


def notes(app: AppTest) -> list[str]:
    return [caption.value for caption in app.caption if caption.value.startswith("TOMA by")]


def take_other(app: AppTest) -> AppTest:
    return app.button(key="other embedding").click().run()


@pytest.mark.parametrize("page", ["correlations", "discriminative_power"])
def test_a_click_swaps_the_compared_measures_and_back(page: str) -> None:
    app = open_app(page)
    before = list(app.multiselect(key=f"{page}.measures").value)
    assert sum("TOMA" in text for text in before) == 1
    assert notes(app)[0].startswith("TOMA by *equal ranges*")
    take_other(app)
    assert not app.exception
    after = list(app.multiselect(key=f"{page}.measures").value)
    assert after == [str(with_embedding(parse(text), "equal steps")) for text in before]
    assert notes(app)[0].startswith("TOMA by *equal steps*")
    assert list(take_other(app).multiselect(key=f"{page}.measures").value) == before


@pytest.mark.parametrize(
    "varied",
    [
        'TOMA(nDCG, aspects=["relevance", "credibility"], distance=Euclidean)',  # three labels each
        'TOMA(nDCG, embedding={"understandability": [0, 1, 2, 5]})',
        "nDCG",
    ],
)
def test_there_is_no_note_if_the_embedding_makes_no_difference(varied: str) -> None:
    app = open_app("sensitivity", measure=varied)
    assert not app.exception
    assert not notes(app)


def test_typed_positions_are_kept() -> None:
    given = TOMA(embedding={"relevance": (0.0, 1.0, 5.0)})
    assert with_embedding(given, "equal steps") == given
