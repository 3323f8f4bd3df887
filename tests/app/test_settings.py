"""Settings and their fields: each address gives the settings that it was written from."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given
from streamlit.testing.v1 import AppTest

import evalcore as ec
from app_support import controls_show_the_value, move_to, open_app, press
from evalcore import InputError
from evalcore.measures import RBP, nDCG
from evalcore.measures.toma import ClassWeights
from ui.address.settings import Settings, setting
from ui.widgets.fields import (
    Choice,
    Each,
    Field,
    Line,
    Many,
    Measures,
    MisfitError,
    Number,
    Numbers,
    OneMeasure,
    OneValue,
    Span,
    Stepped,
    Switch,
    of_parameter,
    values_of,
)

NAMES = st.text(min_size=1, max_size=8)  # from foreign files: any character
ENDS = st.tuples(st.integers(-1000, 1000), st.integers(1, 1000)).map(lambda both: (both[0], both[0] + both[1]))


# --- every field: its text says its value -----------------------------------------------------------------------------


@st.composite
def wholes(draw: st.DrawFn) -> tuple[Field, Any]:
    low, high = draw(ENDS)
    value = draw(st.integers(low, high))
    none = draw(st.booleans())
    return Number("n", low, high, low, 1, none="none" * none), None if none and draw(st.booleans()) else value


@st.composite
def fractions(draw: st.DrawFn) -> tuple[Field, Any]:
    low, high = draw(ENDS)
    return Number("n", float(low), float(high), low, 0.001), low + draw(st.integers(0, (high - low) * 1000)) / 1000


@st.composite
def spans(draw: st.DrawFn) -> tuple[Field, Any]:
    low, high = draw(ENDS)
    ends = draw(st.lists(st.integers(low, high), min_size=2, max_size=2).map(sorted))
    return Span("s", low, high, 1), tuple(map(float, ends))


@st.composite
def choices(draw: st.DrawFn) -> tuple[Field, Any]:
    options = draw(st.lists(NAMES, min_size=1, unique=True))
    return Choice("c", options), draw(st.sampled_from(options))


@st.composite
def manies(draw: st.DrawFn) -> tuple[Field, Any]:
    options = draw(st.lists(NAMES, min_size=1, unique=True))
    return Many("m", options), tuple(draw(st.lists(st.sampled_from(options), unique=True)))


@st.composite
def numbers(draw: st.DrawFn) -> tuple[Field, Any]:
    low, high = draw(ENDS)
    return Numbers("n", low, high, most=4), tuple(draw(st.lists(st.integers(low, high), unique=True, max_size=4)))


@st.composite
def eaches(draw: st.DrawFn) -> tuple[Field, Any]:
    names = draw(st.lists(NAMES, min_size=1, max_size=5, unique=True))
    part = draw(st.sampled_from([Number("p", 0.0, 1.0, 0.5), Choice("p", ["yes", "no", "a b"]), Switch("p")]))
    known = {Number: st.sampled_from([0.0, 0.25, 1.0]), Choice: st.sampled_from(["yes", "no", "a b"])}
    values = known.get(type(part), st.booleans())  # type: ignore[call-overload]
    return Each("e", dict.fromkeys(names, part)), tuple(draw(values) for _ in names)


MEASURES = ["AP", "nDCG@10", "RBP(rho=0.5)", 'CAM(nDCG, aspects=["relevance", "credibility"])']
OTHERS = st.one_of(
    st.booleans().map(lambda on: (Switch("s"), on)),
    NAMES.map(lambda text: (Line("l"), text.strip())),
    st.sampled_from([0.1, 1.0, 10.0]).map(lambda one: (Stepped("s", [0.1, 1.0, 10.0], 1.0), one)),
    st.sampled_from(MEASURES).map(lambda text: (OneMeasure("m", MEASURES), str(ec.parse(text)))),
    st.lists(st.sampled_from(MEASURES), min_size=1, unique=True).map(
        lambda texts: (Measures("m", MEASURES, ("AP",)), tuple(str(ec.parse(text)) for text in texts))
    ),
    st.sampled_from(list(values_of(ClassWeights).values())).map(
        lambda one: (OneValue("v", ClassWeights, values_of(ClassWeights)["by class"]), one)
    ),
)
ANY = st.one_of(wholes(), fractions(), spans(), choices(), manies(), numbers(), eaches(), OTHERS)


@given(ANY)
def test_a_text_reads_back_to_its_value(known: tuple[Field, Any]) -> None:
    field, value = known
    texts = field.write(value)
    assert (field.read(texts) if texts else field.usual) == value


def kept_of(field: Field, texts: list[str]) -> Any:
    """Return the value that a page sets for these texts."""
    try:
        return field.read(texts)
    except MisfitError as problem:
        return field.usual if problem.kept is None else problem.kept


@given(ANY, st.lists(st.text(max_size=12), min_size=1, max_size=3))
def test_any_text_is_a_value_or_no_fit(known: tuple[Field, Any], texts: list[str]) -> None:
    """Texts that do not fit also result in a valid value."""
    field, _ = known
    value = kept_of(field, texts)
    again = field.write(value)
    assert (field.read(again) if again else field.usual) == value


def test_a_bad_value_names_the_expected_ones(subtests: pytest.Subtests) -> None:
    for field, text, expected in [
        (Number("n", 0, 3, 1, 1), "1.5", "a whole number from 0 to 3"),
        (Number("n", 0.0, 1.0, 0.5), "1.1", "a number from 0 to 1"),
        (Number("n", 0.0, 1.0, 0.5), "nan", "a number from 0 to 1"),
        (Number("n", 0, 3, 1, 1), "none", "a whole number from 0 to 3"),
        (Stepped("s", [0.1, 1], 1), "0.5", "one of 0.1, 1"),
        (Span("s", 0, 1, 0.1), "0.7 to 0.2", "two numbers from 0 to 1"),
        (Span("s", 0, 1, 0.1), "0.7", "two numbers from 0 to 1"),
        (Choice("c", ["a", "b"]), "c", "one of a, b"),
        (Many("m", ["a", "b"]), "c", "some of a, b"),
        (Many("m", [], least=2), "c", "2 or more of nothing"),
        (Switch("s"), "on", "true or false"),
        (OneMeasure("m", ["AP"]), "P(", "a call such as RBP(rho=0.8)"),
        (Each("e", {"0": Number("0", 0, 1, 0, 1)}), "1:0", "a setting for one of 0"),
        (Each("e", {"0": Number("0", 0, 1, 0, 1)}), "0:2", "0: a whole number from 0 to 1"),
    ]:
        with subtests.test(f"{field}, {text}"), pytest.raises(MisfitError, match=re.escape(expected)):
            field.read([text])


def test_valid_values_in_a_list_are_kept() -> None:
    grades = Each("e", {grade: Number(grade, 0.0, 1.0, 0.5) for grade in "012"})
    systems, more, several = Many("m", ["a", "b"]), Numbers("n", 0, 9), Measures("m", ["AP"], ("AP",))
    found = []
    for field, texts in (
        (grades, ["0:0.25", "7:1", "1:x"]),
        (systems, ["a", "gone"]),
        (more, ["3", "12", "x"]),
        (several, ["P@3", "P("]),
    ):
        with pytest.raises(MisfitError) as problem:
            field.read(texts)
        found.append(problem.value.kept)
    assert found == [(0.25, 0.5, 0.5), ("a",), (3,), ("P@3",)]


def test_a_default_outside_the_range_moves_to_its_end() -> None:
    assert Number("n", 0, 5, 9, 1).usual == 5


def test_a_measure_that_cannot_be_scored_here_is_refused() -> None:
    def refuse(text: str) -> None:
        if "credibility" in text:
            raise InputError("expected one of relevance, found credibility")

    field = OneMeasure("m", ["AP"], fits=refuse)
    assert field.read(["P@3"]) == "P@3"
    with pytest.raises(MisfitError, match=r"^one of relevance, found credibility"):
        field.read(['AP(aspect="credibility")'])


def test_a_parameter_has_the_range_that_it_declares() -> None:
    field = of_parameter(RBP, "rho")
    assert isinstance(field, Number)
    assert (field.low, field.high, field.usual) == (0.01, 0.99, RBP().rho)  # open at both ends, by its step
    none = of_parameter(nDCG, "cutoff")
    assert none.usual is None
    assert none.read(["none"]) is None


# --- a value of several settings --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Small(Settings, page="small"):
    """Settings that depend on others: `kind` decides which numbers exist, the collection how many grades."""

    kind: str = setting(Choice("Kind", ["few", "many", "none"]))
    count: int | None = setting(lambda page: None if page.kind == "none" else Number("Count", 0, page.most, 2, 1))
    gains: tuple[float, ...] = setting(
        lambda page: Each("Gains", {str(grade): Number(str(grade), 0.0, 1.0, 0.5) for grade in page.collection})
    )

    @property
    def most(self) -> int:
        return 3 if self.kind == "few" else 9


def small(**link: list[str]) -> Small:
    return Small.read("012", {f"small.{name}": texts for name, texts in link.items()})  # type: ignore[arg-type]


@given(
    st.sampled_from(["few", "many", "none"]),
    st.integers(-2, 12),
    st.dictionaries(st.sampled_from("0123"), st.sampled_from([0.0, 0.25, 0.5, 1.0])),
)
def test_the_address_of_settings_reads_back_to_them(kind: str, count: int, gains: dict[str, float]) -> None:
    texts = [f"{grade}:{gain}" for grade, gain in gains.items()]
    address: dict[str, Any] = {"kind": [kind], "count": [str(count)], **({"gains": texts} if texts else {})}
    value = small(**address)
    again = Small.read("012", value.address())  # type: ignore[arg-type]
    assert again == value
    assert again.misfits == ()


def test_an_invalid_setting_takes_its_default_with_a_message() -> None:
    value = small(count=["7"], gains=["0:1", "9:1"])
    assert (value.count, value.gains) == (2, (1, 0.5, 0.5))
    assert [misfit.partition(":")[0] for misfit in value.misfits] == ["count", "gains"]


def test_the_options_of_a_setting_depend_on_earlier_settings() -> None:
    assert small(kind=["many"], count=["7"]).count == 7
    assert small(count=["7"], kind=["many"]).count == 7  # whatever the order in the address


def test_a_setting_that_does_not_apply_is_reported() -> None:
    value = small(kind=["none"], count=["2"])
    assert value.count is None
    assert value.misfits == ("count: unknown setting",)
    assert [name for name, _, _ in value.items()] == ["kind", "gains"]


def test_an_unknown_key_of_the_page_is_reported() -> None:
    assert small(colour=["red"]).misfits == ("colour: unknown setting",)


def test_a_change_drops_what_no_longer_fits_with_a_message() -> None:
    changed = small(kind=["many"], count=["7"]).with_(kind="few")
    assert (changed.kind, changed.count) == ("few", 2)
    assert changed.misfits == ("count: expected a whole number from 0 to 3, found 7",)


def test_changes_together_are_made_in_the_order_of_the_settings() -> None:
    changed = small().with_(count=7, kind="many")
    assert (changed.kind, changed.count, changed.misfits) == ("many", 7, ())


def test_on_request_only_changed_settings_are_listed_in_words() -> None:
    value = small(gains=["1:1"])
    assert value.words() == [("Kind", "few"), ("Count", "2"), ("Gains", "0 0.5, 1 1, 2 0.5")]
    assert value.words(all=False) == [("Gains", "0 0.5, 1 1, 2 0.5")]


# --- in an app --------------------------------------------------------------------------------------------------------


def script() -> None:
    """A page with a setting that depends on another one."""
    from dataclasses import dataclass

    import streamlit as st

    from ui.address import settings
    from ui.address.settings import Settings, setting
    from ui.widgets.fields import Choice, Each, Number, Numbers

    @dataclass(frozen=True)
    class Page(Settings, page="page"):
        kind: str = setting(Choice("Kind", ["few", "many", "none"]))
        count: int = setting(
            lambda page: None if page.kind == "none" else Number("Count", 0, 3 if page.kind == "few" else 9, 2, 1)
        )
        gains: tuple[float, ...] = setting(Each("Gains", {name: Number(name, 0.0, 1.0, 0.5) for name in "ab"}))
        more: tuple[float, ...] = setting(Numbers("More", 0, 9))

    settings.begin("page")
    page = Page.now(None)
    page.draw("kind", "count", "gains", "more")
    st.button("Both", on_click=page.change, kwargs={"kind": "many", "count": 8})
    st.button("Reset", on_click=page.reset)
    settings.remember("page")
    settings.misfits()
    st.write(page.kind, page.count, page.gains, page.more)
    st.json(settings.remembered()("page"))


def opened(**link: object) -> AppTest:
    app = AppTest.from_function(script, default_timeout=60)
    for name, one in link.items():
        app.query_params[name.replace("_", ".")] = one
    return app.run()


def where(app: AppTest) -> dict[str, list[str]]:
    return {key: [one] if isinstance(one, str) else one for key, one in app.query_params.items()}


def test_a_control_that_is_moved_writes_the_address() -> None:
    app = opened()
    app.slider(key="page.count").set_value(3).run()
    assert where(app) == {"page.count": ["3"]}
    app.slider(key="page.gains.b").set_value(1.0).run()
    assert where(app) == {"page.count": ["3"], "page.gains": ["b:1"]}
    app.slider(key="page.count").set_value(2).run()
    assert where(app) == {"page.gains": ["b:1"]}


def test_a_click_can_set_several_settings_at_once() -> None:
    app = press(opened(page_gains="a:1"), "Both")
    assert where(app) == {"page.gains": ["a:1"], "page.kind": ["many"], "page.count": ["8"]}
    assert app.slider(key="page.count").value == 8
    assert where(press(app, "Reset")) == {}


def test_a_move_that_drops_another_setting_warns_once() -> None:
    app = opened(page_kind="many", page_count="8")
    app.selectbox(key="page.kind").set_value("few").run()
    assert where(app) == {}
    assert "expected a whole number from 0 to 3, found 8" in app.warning[0].value
    assert not app.run().warning


def test_a_typed_number_is_accepted_and_one_out_of_range_gives_a_warning() -> None:
    app = opened()
    app.multiselect(key="page.more").set_value(["3", "12", "x"]).run()
    assert where(app) == {"page.more": ["3"]}
    assert app.multiselect(key="page.more").value == ["3"]
    assert "found 3, 12, x" in app.warning[0].value


def test_an_invalid_address_gives_a_warning_until_the_next_move() -> None:
    app = opened(page_count="8", page_gains=["a:1", "z:1"])
    assert "count" in app.warning[0].value
    assert app.run().warning
    app.slider(key="page.gains.a").set_value(0.25).run()
    assert where(app) == {"page.gains": ["a:0.25"]}
    assert not app.warning


def test_a_change_keeps_shared_settings_and_drops_those_of_other_pages() -> None:
    app = opened(like="bm25*", other_count="4")
    app.slider(key="page.count").set_value(3).run()
    assert where(app) == {"like": ["bm25*"], "page.count": ["3"]}


# --- controls that pages share ----------------------------------------------------------------------------------------


def test_a_control_that_pages_share_shows_its_present_value_on_each_page() -> None:
    app = open_app("moved")
    assert app.button_group(key="doubt").value == "true"
    move_to(app, "correlations")
    app.button_group(key="doubt").set_value("all").run()
    app.multiselect(key="systems").set_value(["bm25_title"]).run()
    for page in ("moved", "understandability", "correlations", "moved"):
        move_to(app, page)
        controls_show_the_value(app)
        assert app.button_group(key="doubt").value == "all"
