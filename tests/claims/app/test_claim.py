"""The page Claim: it states the same as `ec.claim`, and computes only the measures that matter."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import evalcore as ec
from app_support import CLAIM_SPECS, address_of, open_app, reopened
from evalcore.claims import Study, options_behind
from evalcore.common.constants import EFFECTS
from evalcore.data import Collection
from ui.claims import scored as judged
from ui.claims.claim_settings import EFFECT_WORDS, ClaimSettings
from ui.claims.fields import LONGEST_TEXT
from ui.computing import work
from ui.screen.text import plain

PAIR = {"a": "expert_large", "b": "plain_fog"}


def claim(**link: Any) -> AppTest:
    app = open_app("claim", **{"specs": CLAIM_SPECS, **link})
    assert not app.exception
    return app


def headline(app: AppTest) -> str:
    """Return the sentence with the decision, and the joint test below it."""
    texts = [str(text.value) for text in app.main.markdown]
    decided = next(text for text in texts if text.startswith("**") and "specification" in text)
    return plain(f"{decided} {next(str(text.value) for text in app.main.caption if 'Joint test' in str(text.value))}")


def decided(study: Study) -> str:
    """Return the first sentence of the page, if systems have no short names."""
    return f"{study.verdict.decided}."


def table(app: AppTest, column: str) -> pd.DataFrame:
    return next(frame.value for frame in app.main.dataframe if column in frame.value.columns)


def settings(app: AppTest) -> ClaimSettings:
    found = app.session_state["settings on the screen"]
    return next(one for one in found if isinstance(one, ClaimSettings))


@pytest.mark.parametrize("effect", EFFECTS)
def test_the_page_shows_what_the_library_finds(effect: Any, sample: Collection) -> None:
    app = claim(**PAIR, effect=EFFECT_WORDS[effect])
    study = ec.claim("expert_large > plain_fog", CLAIM_SPECS, sample, kind=effect)
    assert headline(app).startswith(decided(study))
    assert f"p = {study.joint.p:.3g}" in headline(app)
    pd.testing.assert_frame_equal(table(app, "scored by"), study.frame())
    assert study.methods() in [block.value for block in app.code]


@pytest.mark.parametrize(
    ("link", "text"),
    [
        ({"form": "A is first", "a": "plain_fog"}, "plain_fog first"),
        ({"form": "A is among the first", "a": "plain_fog", "k": "4"}, "plain_fog in top 4"),
        ({"form": "an order of systems", "order": ["plain_fog", "bm25_base"]}, "plain_fog > bm25_base"),
    ],
)
def test_every_form_of_claim_can_be_tested(link: dict[str, Any], text: str, sample: Collection) -> None:
    assert headline(claim(**link)).startswith(decided(ec.claim(text, CLAIM_SPECS, sample)))


def test_the_default_claim_compares_the_first_two_systems() -> None:
    app = claim()
    best = settings(app).best
    assert headline(app).startswith(f"{best[0]} > {best[1]} ")


def test_options_left_out_are_not_measured_and_are_in_the_link(sample: Collection) -> None:
    app = claim(**PAIR)
    app.multiselect(key="claim.left_out.measure").unselect("AP").run()
    assert address_of(app)["claim.left_out"] == ["measure: AP"]
    assert "AP" not in set(table(app, "scored by")["measure"])
    narrowed = CLAIM_SPECS.replace('"nDCG@10", "AP", ', '"nDCG@10", ')
    assert headline(app).startswith(decided(ec.claim("expert_large > plain_fog", narrowed, sample)))
    assert headline(reopened(app, "claim")) == headline(app)


def test_at_least_one_option_of_each_choice_stays() -> None:
    app = claim(left_out=["persistence: 0.5"])
    app.multiselect(key="claim.left_out.persistence").set_value([]).run()
    assert "at least one option of persistence" in app.warning[0].value
    assert "claim.left_out" not in address_of(app)


def test_another_claim_reuses_the_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    app = claim(**PAIR)
    monkeypatch.setattr(judged, "growing", None)
    app.selectbox(key="claim.b").set_value("bm25_base").run()
    assert not app.exception
    assert headline(app).startswith("expert_large > bm25_base ")


@pytest.mark.parametrize(("size", "kept"), [(1, "bcd"), (2, "cd"), (3, "d"), (9, "d")])
def test_the_cache_of_large_results_has_a_limit(size: int, kept: str) -> None:
    cache = work.ResultCache(most=3, size=lambda _: size, room=5)
    for name in "abcd":
        cache.add(name, name)
    assert cache.find(dict.fromkeys("abcd")) == dict(zip(kept, kept, strict=True))


def test_a_selected_part_of_the_curve_lists_its_options(sample: Collection) -> None:
    app = claim(**PAIR, stretch="2 to 5")
    study = ec.claim("expert_large > plain_fog", CLAIM_SPECS, sample)
    which = np.isin(np.arange(len(study.curve)), study.frame()["specification"][1:5])
    pd.testing.assert_frame_equal(table(app, "lift"), options_behind(study.multiverse.design, which))


def test_one_specification_is_put_in_words_and_opens_on_its_page(sample: Collection) -> None:
    app = claim(**PAIR, stretch="3 to 3")
    row = ec.claim("expert_large > plain_fog", CLAIM_SPECS, sample).frame().iloc[2]
    description = next(plain(str(text.value)) for text in app.main.markdown if "Number 3 of" in str(text.value))
    assert f"measure {row['measure']}" in description
    assert f"Effect {row['effect']:.4f}" in description
    links: list[Any] = list(app.get("page_link"))
    assert any(link.label == "Open this measure, rank by rank" for link in links)


def test_a_selection_reaches_from_its_first_to_its_last_specification() -> None:
    page = settings(claim())
    numbers = pd.Series([7, 2, 0, 4, 1, 3, 5, 6])
    assert page.stretch_of(numbers, ["2"]) == (2, 2)
    assert page.stretch_of(numbers, ["3", "0", "1"]) == (3, 6)
    assert page.stretch_of(numbers, []) == (1, len(page.design))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("nonsense", "specs"),
        ('[[choice]]\nname = "measure"\nmeasures = ["no such"]', "no such"),
        (f"title = {'x' * LONGEST_TEXT!r}\n{CLAIM_SPECS.partition('most')[2].join(['most', ''])}", "characters"),
    ],
)
def test_an_invalid_text_is_refused_and_the_default_set_stays(text: str, problem: str) -> None:
    app = claim(specs=text)
    assert problem in app.warning[0].value
    assert settings(app).specs == ""


def test_a_file_of_specifications_is_opened_into_the_link() -> None:
    app = open_app("claim")
    file = CLAIM_SPECS.encode()
    app.file_uploader(key="claim specs file").set_value(("specs.toml", file, "application/toml")).run()
    assert address_of(app)["claim.specs"] == [CLAIM_SPECS]
    assert len(table(app, "scored by")) == 8


def test_the_first_scores_are_drawn_early(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = list[str]()
    monkeypatch.setattr(judged, "PATIENCE", -1.0)
    monkeypatch.setattr(judged, "BETWEEN", 0.0)
    monkeypatch.setattr(judged, "plot", lambda figure, key, alt, *_: drawn.append(alt))
    app = claim(**PAIR, specs=CLAIM_SPECS.replace("0.5, 0.95", "0.45, 0.85"))
    assert drawn
    assert all(re.fullmatch(r"So far: \d of 8 specifications, drawn at random", alt) for alt in drawn)
    assert "8 specifications" in headline(app)


def test_pasting_the_default_set_changes_nothing() -> None:
    usual = settings(claim()).with_(specs="").text
    assert settings(claim(specs=usual)).specs == ""


def test_the_weight_of_an_option_counts_in_the_verdict_and_in_the_text(sample: Collection) -> None:
    plain_one = claim(**PAIR)
    known = settings(plain_one).specifications
    choice = known.choices[0]
    heavier = choice.weighted({option.name: 3.0 if option.name == "AP" else 1.0 for option in choice.options})
    app = claim(**PAIR, specs=ec.claims.write_specifications(known.with_choice(heavier)))
    page = settings(app)
    weights = {option.name: option.weight for option in page.specifications.choices[0].options}
    assert weights["AP"] == 3
    assert set(weights.values()) == {1, 3}
    study = ec.claim("expert_large > plain_fog", page.text, sample)
    assert headline(app).startswith(decided(study))
    assert study.frame()["weight"].nunique() == 2
    assert page.text != settings(plain_one).text


def test_a_text_with_a_mistake_stays_with_an_error_and_the_last_valid_one_counts() -> None:
    app = claim(**PAIR)
    before, wrong = headline(app), CLAIM_SPECS.replace('"rho"', '"rhoo"')
    assert wrong != CLAIM_SPECS
    area = app.text_area(key="claim.specs")
    good = area.value
    area.set_value("[[choice]\nname = 1").run()
    assert app.text_area(key="claim.specs").value == "[[choice]\nname = 1"
    assert any("Until you correct it" in error.value for error in app.error)
    assert headline(app) == before
    app.text_area(key="claim.specs").set_value(good).run()
    assert not app.error
    assert headline(app) == before
