"""Tools that tests of pages share: opening the app without a browser."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import fromstring

import plotly.graph_objects as go
import pytest
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import RerunData
from streamlit.testing.v1 import AppTest, app_test, local_script_runner
from streamlit.testing.v1.element_tree import TESTING_KEY

from evalcore.figures.draw import Spec, new_figure
from evalcore.figures.mathml import mathml
from ui.address import places
from ui.screen.items import Figure, Table
from ui.shell.page_part import CITE_BOX, PYTHON_BOX
from ui.shell.report_box import BOX as REPORT_BOX
from ui.stage.show import FORMULA, NUMBERS, WHY
from ui.widgets.fields import Each, Field, OneValue, in_words

ROOT = Path(__file__).parents[1]
SAMPLE = ROOT / "sample_data" / "health"

# A few ways to measure, which are scored at once: the page Claim opens on them in tests.
CLAIM_SPECS = """\
title = "A few"
most = 2500
seed = 0

[[choice]]
name = "measure"
measures = ["nDCG@10", "AP", "RBP(rho=0.8)"]

[[choice]]
name = "persistence"
parameter = "rho"
values = [0.5, 0.95]

[[choice]]
name = "unassessed documents"
unassessed = ["0", "left out"]
"""

# Settings with which pages that take long to compute show the same things at once.
QUICK = {
    "claim": {"claim.specs": CLAIM_SPECS},
    "discriminative_power": {"discriminative_power.resamples": "1,000"},
}

BOXES = (PYTHON_BOX, CITE_BOX, REPORT_BOX, FORMULA, NUMBERS, WHY)  # that have no content where they are closed

# Settings that all pages share; every other one stands in the address with its page in front.
SHARED = {
    *("data", "on", "systems", "doubt", "present", "entry"),
    *(
        "answers",
        "like",
        "made",
        "only",
        "best",
        "ontopics",
        "topicsof",
        "source",
        "average",
        "leading",
        "colour",
        "names",
    ),
}


def open_app(page: str = "understandability", **link: object) -> AppTest:
    """Open the app on its sample data, at a page with these parameters in its link."""
    app = an_app()
    for key, value in link.items():
        app.query_params[key if key in SHARED else f"{places.keys_of(page)}.{key}"] = value
    return app.run() if page == "home" else go_to(app, page).run()


def go_to(app: AppTest, page: str) -> AppTest:
    """Prepare the app so that its next run opens a page, in its place, with the settings already in its address."""
    place, address = places.PAGES[page].place if page in places.PAGES else page, address_of(app)
    here = {key: texts for key, texts in address.items() if not key.endswith(".view") or key == f"{place}.view"}
    go_by(app, {**here, **(places.to_page(page) if page in places.PAGES else {})})
    return app.switch_page(f"pages/{place}.py")


def an_app(timeout: float = 60) -> AppTest:
    """Return the app before its first run, with those boxes open that draw their content only while open."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=timeout)
    for box in BOXES:
        app.session_state[box] = True
    return app


def press(app: AppTest, label: str) -> AppTest:
    """Click on the button with this label; return the app."""
    return next(button for button in app.button if button.label == label).click().run()


def correct(app: AppTest) -> AppTest:
    """Declare on the page Collection that low grades of understandability are good."""
    area = app.text_area[0]
    before, _, after = (area.value or "").rpartition('good = "high"')
    area.set_value(f'{before}good = "low"{after}').run()
    return press(app, "Read again")


def metric(app: AppTest, label: str) -> str:
    """Return the value of the metric with this label."""
    value: str = next(one.value for one in app.metric if one.label == label)
    return value


@contextmanager
def alone(app: AppTest) -> Iterator[None]:
    """Run only the page's own part, as after a control of the page is moved in a browser."""
    [part] = app._fragment_storage.resolve_target("page")

    def pages(*args: Any, **kwargs: Any) -> PagesManager:  # those that the last whole run had
        manager = PagesManager(*args, **kwargs)
        manager._set_pages(app._registered_pages)
        return manager

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local_script_runner, "RerunData", partial(RerunData, fragment_id=part))
        patch.setattr(app_test, "PagesManager", pages)
        yield


# --- a visit, step by step --------------------------------------------------------------------------------------------


def move_to(app: AppTest, page: str, address: Mapping[str, Any] | None = None) -> None:
    """Go to a page by its link in the menu, or to an earlier address."""
    here = address_of(app)
    known = "settings of pages" in app.session_state
    own = app.session_state["settings of pages"].get(places.PAGES[page].place, {}) if known else {}
    shared = {key: texts for key, texts in here.items() if "." not in key}
    go_by(app, {**shared, **own} if address is None else address)
    go_to(app, page).run()


def address_of(app: AppTest) -> dict[str, list[str]]:
    """Return the settings in the address bar."""
    lists = list | tuple
    return {
        key: list(map(str, value if isinstance(value, lists) else [value])) for key, value in app.query_params.items()
    }


def go_by(app: AppTest, address: Mapping[str, Any]) -> None:
    """Set the address of the next run, as the browser does."""
    app.query_params = dict(address)  # type: ignore[misc]  # its setter takes any mapping, its getter gives one of its own


def fresh(page: str, address: Mapping[str, Any]) -> AppTest:
    """Open an address as another visitor."""
    app = an_app(120)
    go_by(app, address)
    return go_to(app, page).run()


TEXTS = ("title", "header", "markdown", "caption", "metric", "info", "warning", "error", "latex", "code")


def snapshot(app: AppTest) -> dict[str, Any]:
    """Return the contents of a page: its texts, metrics, tables, and the data of its figures."""
    shown: dict[str, Any] = {kind: [str(one.value) for one in getattr(app.main, kind)] for kind in TEXTS}
    shown["code"] = [text for text in shown["code"] if not text.startswith("Computed with ")]  # with the address
    shown["tables"] = [frame.value.to_csv() for frame in app.main.dataframe]
    shown["figures"] = [item.to_json() for _, item in shown_items(app) if isinstance(item, go.Figure)]
    return shown


def shown_items(app: AppTest) -> list[tuple[str, Any]]:
    """Return the figures and tables on the screen, each with its description; figures as objects of plotly."""
    return [
        (thing.about, as_figure(thing.figure if isinstance(thing, Figure) else thing.frame)) for thing in things(app)
    ]


def things(app: AppTest) -> list[Figure | Table]:
    """Return the figures and tables on the screen."""
    return [item for _, item in app.session_state["on the screen"] if isinstance(item, Figure | Table)]


def figure_keys(app: AppTest) -> list[str]:
    """Return the keys of the figures on the screen."""
    return [thing.key for thing in things(app) if isinstance(thing, Figure)]


def as_figure(item: Any) -> Any:
    """Return a figure as an object of plotly; anything else unchanged."""
    return new_figure(**item.to_dict()) if isinstance(item, Spec) else item


KINDS = (
    *("slider", "select_slider", "selectbox", "multiselect"),
    *("toggle", "button_group", "number_input", "text_input"),
)


def settable(app: AppTest) -> list[Any]:
    """Return the controls of settings that a person can change now."""
    found = [one for kind in KINDS for one in getattr(app, kind)]
    known = {one.key(name) for one in app.session_state["settings on the screen"] for name, _, _ in one.items()}
    return [one for one in found if one.key and one.key != "data" and any(one.key.startswith(key) for key in known)]


# Texts that a person may type in free text: measures and numbers, some that no collection here has, and nonsense.
TYPED = (
    *("P@3", "RBP(rho=0.7)", 'CAM(RBP(rho=0.5), aspects=["relevance"])', "MM(nDCG, rho=0.9)", "0.3", "7", "-1"),
    *('AP(aspect="nowhere")', 'uRBP1(aspect="nowhere")', "P@", "nonsense", "*", ""),
)


def type_into(control: Any, text: str) -> None:
    """Type a text into a control that accepts more than its options."""
    if type(control).__name__ == "TextInput":
        control.set_value(text).run()
    elif type(control).__name__ == "Selectbox":
        control.options.append(text)
        _by_name(control)
        control.set_value(text).run()
    else:
        most = control.max_selections or None
        control.set_value([*control.value[: most - 1 if most else None], text]).run()


def takes_texts(app: AppTest) -> list[Any]:
    """List the controls of settings into which a person can type."""
    return [
        one
        for one in settable(app)
        if type(one).__name__ == "TextInput" or getattr(one.proto, "accept_new_options", False)
    ]


def _by_name(control: Any) -> None:
    """Let a control be set to the name of an option, as a browser sends it; AppTest would convert the name again."""
    names, named = control.root.session_state[TESTING_KEY], list(control.options)
    in_words = names[control.id]
    names[control.id] = lambda value: value if value in named else in_words(value)


def set_control(control: Any, how: int) -> None:
    """Set a control to one of its options."""
    if type(control).__name__ in ("Selectbox", "SelectSlider", "ButtonGroup", "Multiselect"):
        _by_name(control)
    kind = type(control).__name__.lower()
    if kind in ("slider", "numberinput"):
        steps = max(round((control.max - control.min) / control.step), 1)
        value = control.min + (how % (steps + 1)) * control.step
        value = min(type(control.min)(value), control.max)
        pair = isinstance(control.value, tuple | list)
        control.set_value((control.min, value) if pair else value).run()
    elif kind in ("selectbox", "selectslider", "select_slider"):
        control.set_value(control.options[how % len(control.options)]).run()
    elif kind == "multiselect":
        control.set_value(
            list(dict.fromkeys(control.options[(how // k) % len(control.options)] for k in (1, 7)))
            if control.options
            else []
        ).run()
    elif kind == "textinput":
        control.set_value(("", "*", "*m25*", "*]*", "no such, *1*")[how % 5]).run()
    elif kind == "toggle":
        control.set_value(not control.value).run()
    else:
        control.set_value(control.options[how % len(control.options)]).run()


BEGUN_WITH = (
    "toma.scenario",
    "measures.start",
    "claim.stretch",  # ends with the specifications that differ, of which there are fewer than combinations
)  # these show what agrees with the other settings


def controls_show_the_value(app: AppTest) -> None:
    """Assert that every control shows the value of its setting."""
    drawn = {one.key for kind in KINDS for one in getattr(app, kind)}
    for page in app.session_state["settings on the screen"]:
        for name, field, value in page.items():
            if page.key(name) not in BEGUN_WITH:
                for key, state in _states(page.key(name), field, value):
                    if key in drawn:
                        assert app.session_state[key] == state, (key, app.session_state[key], value)


def _states(key: str, field: Field, value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the keys of a field's controls, each with the expected state of the control."""
    if isinstance(field, Each):
        for (name, part), one in zip(field.parts.items(), value, strict=True):
            yield from _states(f"{key}.{name}", part, one)
    elif isinstance(field, OneValue):
        yield key, in_words(type(value).__name__)
        for name, part in field.fields(type(value)).items():
            if not isinstance(part, Each):
                yield from _states(f"{key}.{name}", part, getattr(value, name))
    else:
        yield key, field.shown(value)


def reopened(app: AppTest, page: str) -> AppTest:
    """Open the address of an app as another visitor."""
    return fresh(page, address_of(app))


def assert_a_report_can_set(formulas: Iterable[str]) -> None:
    """Assert that formulas contain no LaTeX commands after their conversion for a report."""
    shown = ["".join(fromstring(mathml(formula.strip("$\n "))).itertext()) for formula in formulas]
    assert [one for one in shown if "\\" in one or "&" in one] == []
