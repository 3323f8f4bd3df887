"""Settings of a page, as one immutable value that is stored as text in the address.

A page declares a subclass of `Settings` with a field for each setting; later fields may depend on earlier ones and on
the collection. `now` reads the value from the address, and `draw` shows the control of a field. When a person moves a
control, or `change` is called, the changed address is written and the page runs again. No other state is kept.
"""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Self

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from evalcore.common.cached import cached_property
from evalcore.data import Collection
from evalcore.errors import InputError, shorten
from ui.address import places
from ui.address.coverage import on_covered_topics, on_scored_systems
from ui.address.coverage import say as coverage_said
from ui.screen.drawing_ahead import elsewhere
from ui.screen.text import counted, markdown, plain
from ui.widgets.callback import callback, called, own_of
from ui.widgets.fields import Field, InParts, Measures, MisfitError, OneMeasure, Slider, forget_drawn, is_stale

ANY = object()
Address = Mapping[str, Sequence[str]]
Make = Callable[[Any], Field | None]
LINK_ICON = ":material/link_off:"
MADE_ON = "on"  # key of the fingerprint of an address's data
MOST_READ = 8  # most values kept for a class of settings in a session
LONGEST = 300  # most characters of a problem in a message
UNSAID = {"data", "present", "entry", "look", "view", "answers"}  # names of settings that change no number
FEW = 5  # most keys named in a message
# Names of `Settings` that a page may override.
OVERRIDDEN = {"all_measures", "change", "measured_by", "now", "sliders", "words", "works_on", "__doc__"}
_ON_SCREEN, _PAGE = "settings on the screen", "page on the screen"
_AROUND = "settings around the page"
_REMEMBERED, _REFUSED, _MISFITS = "settings of pages", "settings refused", "place of misfits"
_READ = "settings that last"
_KNOWN, _REPLACED, _RUN = "address known", "addresses replaced", "run whose address is known"
_CLASSES: dict[tuple[str, str], type[Settings]] = {}  # every class of settings, by module and name


def setting(field: Field | Make, /, **where: Any) -> Any:
    """Declare a setting, given its field, or a function that makes the field from earlier settings.

    The function returns None if the setting does not apply. `where` restricts the setting further: it maps earlier
    settings to the value, or the tuple of values, that they must have. ANY allows every value except None, and None is
    the value of settings that do not apply.
    """
    wanted = {name: value if isinstance(value, tuple) else (value,) for name, value in where.items()}

    def make(page: Any) -> Field | None:
        for name, values in wanted.items():
            value = getattr(page, name)
            if value is None if values == (ANY,) else value not in values:
                return None
        return field if isinstance(field, Field) else field(page)

    return dataclasses.field(default=None, metadata={"make": make})


@dataclass(frozen=True)
class Settings:
    """A page's settings on a collection. Settings that do not apply are None."""

    # Set by `class Name(Settings, page=..., prefix=..., lasts=..., all_scored=...)`.
    # Prefix of keys in the address; "" for settings that all pages share, None for base classes.
    PAGE: ClassVar[str | None] = ""
    # Prefix of names in keys, if a page has several classes of settings: the measure of the view Pool, at
    # `labels.pool_measure`, is `measure` under the prefix `pool_`.
    PREFIX: ClassVar[str] = ""
    # True if the fields depend only on the collection: a session then reads each recent address only once.
    LASTS: ClassVar[bool] = False
    ALL_SCORED: ClassVar[bool] = False  # True if the page uses only systems with scores under all its measures

    collection: Any = dataclasses.field(repr=False, compare=False)
    misfits: tuple[str, ...] = dataclasses.field(default=(), repr=False, compare=False)

    def __init_subclass__(
        cls, page: str | None = "", prefix: str = "", lasts: bool = False, all_scored: bool = False
    ) -> None:
        taken = {name for name in vars(cls) if not name.startswith("__") and name in vars(Settings)} - OVERRIDDEN
        assert not taken, f"expected names in {cls.__name__} that Settings lacks, found {', '.join(sorted(taken))}"
        cls.PAGE, cls.PREFIX = cls.PAGE if page == "" else page, prefix or cls.PREFIX
        cls.LASTS, cls.ALL_SCORED = lasts or cls.LASTS, all_scored or cls.ALL_SCORED
        if cls.PAGE is not None:
            _CLASSES[cls.__module__, cls.__qualname__] = cls

    @classmethod
    def now(cls, collection: Collection | None) -> Self:
        """Return the settings in the address bar, and record that they are on the screen.

        Their fields are made for the part of the collection with labels for all measures of the page (see `_part`).
        """
        value = cls.read(collection, address())
        part = value._part
        if part is collection or collection is None or part is None:
            return value.noted()
        coverage_said(part, collection)
        return cls.read(part, address()).noted()

    @cached_property
    def _part(self) -> Collection | None:
        """The part of the collection with the topics that have labels for all measures of the page.

        With ALL_SCORED, it has only the systems with scores under all of these measures.
        """
        if not self.PAGE or self.collection is None:
            return self.collection  # type: ignore[no-any-return]
        part = on_covered_topics(self.collection, self.all_measures)
        return on_scored_systems(part, self.all_measures) if self.ALL_SCORED else part

    def noted(self) -> Self:
        """Record that these settings are on the screen, and return them."""
        st.session_state[_ON_SCREEN].append(self)
        if self.misfits:
            _say_misfits(())  # now, because what follows may take long
        return self

    @classmethod
    def read(cls, collection: Collection | None, given: Address) -> Self:
        """Return the settings in an address.

        Values that do not fit are replaced by defaults, and `misfits` names them.
        """
        if not cls.LASTS:
            return cls._read(collection, given)
        texts = tuple([(key, *given[key]) for key in cls._keys() if key in given])
        known: OrderedDict[Any, Self] = session().setdefault(_READ, {}).setdefault(cls, OrderedDict())
        name = id(collection), texts  # each value refers to its collection, so that no other object gets this id
        if name not in known:
            known[name] = cls._read(collection, given)
            if len(known) > MOST_READ:
                known.popitem(last=False)
        known.move_to_end(name)
        return known[name]

    @classmethod
    def _read(cls, collection: Collection | None, given: Address) -> Self:
        value, misfits = object.__new__(cls), list[str]()
        fields: dict[str, Field | None] = {}
        vars(value).update(collection=collection, _fields=fields)
        left = set(filter(cls._owns, given))
        for (name, make), key in zip(cls._makes().items(), cls._keys(), strict=True):
            field = make(value)
            fields[name] = field
            left.discard(key) if field else None
            result, misfit = _found(field, given.get(key, ()))
            vars(value)[name] = result
            if misfit:
                misfits.append(f"{markdown(cls.PREFIX + name)}: {misfit}")
        misfits += [f"{markdown(key.partition('.')[2])}: unknown setting" for key in sorted(left)]
        vars(value).update(misfits=tuple(misfits))
        return value

    def address(self) -> dict[str, list[str]]:
        """Return the address of these settings, which omits defaults."""
        return dict(self._address)

    @cached_property
    def _address(self) -> dict[str, list[str]]:
        set_here = ((name, field.write(value)) for name, field, value in self.items() if value != field.usual)
        return {self.key(name): texts for name, texts in set_here if texts}

    def with_(self, **changes: Any) -> Self:
        """Return the settings with some changed; others that depend on them and no longer fit become defaults."""
        changed, refused = self, tuple[str, ...]()
        for name in self._makes():  # in this order, because a setting may depend on earlier ones
            field = changed.field(name) if name in changes else None
            if field is not None:
                given = {**changed.address(), self.key(name): field.write(changes[name])}
                changed = self.read(self.collection, {key: texts for key, texts in given.items() if texts})
                refused = (*refused, *changed.misfits)
        if refused == changed.misfits:
            return changed
        changed = copy(changed)
        vars(changed)["misfits"] = refused
        return changed

    @callback
    def change(self, **changes: Any) -> None:
        """Change some settings after a click; the others keep their values in the current address."""
        other = self.read(self.collection, address()).with_(**changes)
        st.session_state[_REFUSED] = other.misfits
        other.show()

    @callback
    def reset(self) -> None:
        """Set all settings to their defaults."""
        self.read(self.collection, {}).show()

    def show(self) -> None:
        """Write these settings into the address, and keep those of other classes; the Back button undoes this."""
        others = {MADE_ON, *self._keys()}
        here, on = address(), st.session_state.get(MADE_ON)
        rest = {key: texts for key, texts in here.items() if key not in others and not self._owns(key)}
        now = {**rest, **self.address(), **({MADE_ON: [on]} if on else {})}
        if now != here:
            write(now)

    def draw(self, *names: str) -> None:
        """Draw the controls of some settings, leaving out those that do not apply."""
        for name in names:
            field = self.field(name)
            if field is not None:
                self.draw_field(name, field, getattr(self, name))

    def draw_in_row(self, *names: str, shares: Sequence[float] = (), **look: Any) -> None:
        """Draw the controls of some settings side by side.

        `shares` are the widths of the columns, which may outnumber the settings; `look` are options of `st.columns`.
        """
        for place, name in zip(st.columns(shares or len(names), **look), names, strict=False):
            with place:
                self.draw(name)

    def draw_field(self, name: str, field: Field, value: Any) -> None:
        """Draw the control of a setting with this field, which may allow fewer values than the address does."""
        key = self.key(name)
        field.draw(key, value, lambda: self._taken(name, key, value))

    def draw_parts(self, name: str, *parts: str) -> None:
        """Draw the controls of some parts of a setting; draw nothing if its field has no parts."""
        field, key, value = self.field(name), self.key(name), getattr(self, name)
        if isinstance(field, InParts):
            field.draw_parts(parts, key, value, lambda: self._taken(name, key, value))

    def items(self) -> list[tuple[str, Field, Any]]:
        """Return (name, field, value) for each setting that applies."""
        return list(self._items)

    @cached_property
    def _items(self) -> tuple[tuple[str, Field, Any], ...]:
        fields: dict[str, Field | None] = vars(self)["_fields"]
        return tuple((name, field, getattr(self, name)) for name, field in fields.items() if field is not None)

    def sliders(self) -> list[tuple[str, Slider]]:
        """Return (name of the setting, slider) for each slider that moves one of these settings."""
        return self._sliders

    @cached_property
    def _sliders(self) -> list[tuple[str, Slider]]:
        return [
            (name, slider) for name, field, value in self.items() for slider in field.sliders(self.key(name), value)
        ]

    def label_of(self, name: str, slider: Slider) -> str:
        """Return the name of a slider, as plain text: the label of its setting, and the part of the setting, if any."""
        field, part = self.field(name), slider.key.removeprefix(self.key(name)).strip(".")
        return plain(f"{field.label if field else name} {part}".strip())

    def words(self, all: bool = True) -> list[tuple[str, str]]:
        """Return (label, value in words) for each setting that applies; without `all`, defaults are omitted."""
        shown = (item for item in self.items() if all or item[2] != item[1].usual)
        return [(field.label, field.words(value)) for _, field, value in shown if field.label]

    @property
    def measured_by(self) -> tuple[str, ...]:
        """Texts of the measures that captions name, by default from the first field of measures."""
        named = [value for _, field, value in self.items() if isinstance(field, Measures | OneMeasure)]
        return () if not named else (named[0],) if isinstance(named[0], str) else tuple(named[0])

    @property
    def all_measures(self) -> tuple[str, ...]:
        """Texts of all measures that the page compares; the page uses the topics that have labels for all of them."""
        whole = (Measures, OneMeasure)  # a field with `fits` is for a part of a measure
        chosen = [
            value for _, field, value in self.items() if isinstance(field, whole) and getattr(field, "fits", str) is str
        ]
        listed = [text for value in chosen for text in ((value,) if isinstance(value, str) else value or ())]
        return tuple(dict.fromkeys([*listed, *self.measured()]))

    @property
    def works_on(self) -> Collection | None:
        """Data of the page, for captions and reports; None without data. A page with other data overrides this."""
        data: Collection | None = self.collection
        return data

    def measured(self) -> tuple[str, ...]:
        """Return `measured_by`; () if the settings define no measure."""
        return self._measured

    @cached_property
    def _measured(self) -> tuple[str, ...]:
        try:
            return self.measured_by
        except InputError:
            return ()

    def words_beside(self, all: bool = False) -> list[tuple[str, str]]:
        """Return (label, value in words) for each setting that is not at its default; with `all`, for every setting.

        Measures and data are left out, because captions name them anyway.
        """
        return [(label, words) for label, words, is_set in self._words_beside if all or is_set]

    @cached_property
    def _words_beside(self) -> list[tuple[str, str, bool]]:
        """Rows of the settings that captions name: label, value in words, and True if the value is not the default."""
        measures, result = set(self.measured()), []
        for name, field, value in self.items():
            texts = field.write(value)
            if self.PREFIX + name not in UNSAID and (not texts or not measures.issuperset(texts)):
                result.append((field.label, field.words(value), bool(texts) and value != field.usual))
        return [row for row in result if row[1]]

    def field(self, name: str) -> Field | None:
        """Return the field of a setting; None if the setting does not apply."""
        fields: dict[str, Field | None] = vars(self)["_fields"]
        return fields[name]

    @classmethod
    def key(cls, name: str) -> str:
        """Return the key of a setting in the address, which is also the key of its control."""
        return f"{cls.PAGE}.{cls.PREFIX}{name}" if cls.PAGE else name

    @classmethod
    def _owns(cls, key: str) -> bool:
        """Return True if a key has the prefix of this class, and not a longer prefix of another class of the page."""
        return bool(cls.PAGE) and key.startswith(cls.key("")) and not key.startswith(cls._of_others(len(_CLASSES)))

    @classmethod
    @cache
    def _of_others(cls, classes: int) -> tuple[str, ...]:
        """Return the key prefixes of the classes of this page whose PREFIX is longer than the PREFIX of this class."""
        listed = (other for other in _CLASSES.values() if other.PAGE == cls.PAGE)
        return tuple(other.key("") for other in listed if len(other.PREFIX) > len(cls.PREFIX))

    @classmethod
    @cache
    def _keys(cls) -> tuple[str, ...]:
        return tuple(map(cls.key, cls._makes()))

    @classmethod
    @cache
    def _makes(cls) -> dict[str, Make]:
        return {field.name: field.metadata["make"] for field in dataclasses.fields(cls) if "make" in field.metadata}

    @callback
    def _taken(self, name: str, key: str, value: Any) -> None:
        field = self.field(name)
        if field is not None and not is_stale(key):
            self.change(**{name: field.taken(key, value)})


def _found(field: Field | None, texts: Sequence[str]) -> tuple[Any, str]:
    """Return the value of a field for these texts, and a message about texts that do not fit; "" if all fit."""
    if field is None or not texts:
        return (field.usual if field else None), ""
    try:
        return field.read(texts), ""
    except MisfitError as problem:
        value, result = (field.usual if problem.kept is None else problem.kept), ", ".join(texts)
        return value, f"expected {markdown(str(problem)[:LONGEST])}, found {markdown(result[:40])}"


# --- the address ------------------------------------------------------------------------------------------------------


def address() -> dict[str, list[str]]:
    """Return the settings in the address bar; unknown keys are dropped, and a message names them."""
    if there := elsewhere():
        return {key: list(texts) for key, texts in there.address.items()}
    _catch_up()
    known = _declared(st.session_state.get(_PAGE, ""), len(_CLASSES))
    return {key: st.query_params.get_all(key) for key in st.query_params if key in known}


def texts_of(key: str) -> Sequence[str]:
    """Return the values of one setting in the address; its key must be declared."""
    if there := elsewhere():
        return there.address.get(key, ())
    _catch_up()
    return st.query_params.get_all(key)


def session() -> Any:
    """Return the session's state, or its replacement while a screen is drawn outside the session."""
    there = elsewhere()
    return st.session_state if there is None else there.session


def write(given: Address) -> None:
    """Open another address, as one entry in the browser's history."""
    page, before = _whole_address()
    st.session_state[_REPLACED] = [*st.session_state.get(_REPLACED, ()), (page, before)]
    st.session_state[_KNOWN] = page, {key: list(texts) for key, texts in given.items()}
    st.query_params.from_dict(given)


def _catch_up() -> None:
    """Find out, once per run, the current address of the session, and write it to the browser's address bar.

    People may move two controls before the first answer arrives. The browser then sends the second change with the
    address from before the first change; the address written in between is kept. If a link leads from a page to itself,
    Streamlit does not write the link's address to the address bar, so this function does.
    """
    run = get_script_run_ctx()
    if run is None or st.session_state.get(_RUN) is own_of(run):
        return
    st.session_state[_RUN] = own_of(run)
    here, (page, known) = _whole_address(), st.session_state.get(_KNOWN, ("", {}))
    if not run.is_history_navigation and here[0] == page:
        if called() and here in st.session_state.get(_REPLACED, ()):
            st.query_params.from_dict(known)
            return
        if not called() and here[1] != known:
            st.query_params.from_dict(here[1])
    st.session_state[_REPLACED], st.session_state[_KNOWN] = [], here


def _whole_address() -> tuple[str, dict[str, list[str]]]:
    """Return the hash of the page, and all settings in the address bar, known or not."""
    run = get_script_run_ctx()
    return run.page_script_hash if run else "", {key: st.query_params.get_all(key) for key in st.query_params}


def declared(page: str) -> set[str]:
    """Return the keys that a page's address may have, including those of settings that all pages share."""
    return _declared(page, len(_CLASSES))


@cache
def _declared(page: str, classes: int) -> set[str]:
    """Return the keys for `declared`, cached by the number of classes, which grows as modules are imported."""
    return {MADE_ON, *(kind.key(name) for kind in kinds(page) for name in kind._makes())}


def kinds(page: str) -> list[type[Settings]]:
    """Return the classes of settings that belong to a place, to its pages, or to all pages."""
    load()
    return [kind for kind in _CLASSES.values() if kind.PAGE in ("", page, *(one.stem for one in places.pages_of(page)))]


@cache
def load() -> None:
    """Import all modules of `ui`, because only then all classes of settings are known."""
    for module in pkgutil.walk_packages([str(Path(__file__).parents[1])], "ui."):
        importlib.import_module(module.name)


def unknown(keys: Sequence[str]) -> str:
    """State how many keys of a link are unknown to the page, and name the first ones, in Markdown."""
    named = ", ".join(markdown(shorten(key, 40)) for key in keys[:FEW]) + (", ..." if len(keys) > FEW else "")
    be, was = ("is", "was") if len(keys) == 1 else ("are", "were")
    return f"{counted(len(keys), 'setting')} in this link {be} unknown here and {was} ignored: {named}"


def shared(given: Address) -> dict[str, list[str]]:
    """Return the part of an address that all pages share: collection, filter, highlighted systems."""
    return {key: list(texts) for key, texts in given.items() if "." not in key}


def fingerprint(collection: Collection) -> str:
    """Return the first 8 characters of a collection's fingerprint, which are enough for an address."""
    return collection.fingerprint[:8]


def made_on(known_by: str) -> None:
    """Set the fingerprint of the data that new addresses contain."""
    if st.session_state.get(MADE_ON) != known_by:
        st.session_state.pop(_READ, None)  # these settings refer to the previous data
    st.session_state[MADE_ON] = known_by


# --- what is on the screen --------------------------------------------------------------------------------------------


def begin(page: str = "") -> None:
    """Begin a run of a page, with nothing on the screen yet.

    An old link is replaced by its present form, with a message. Controls that pages share are drawn anew on each page.
    """
    given = {key: st.query_params.get_all(key) for key in st.query_params}
    _, today, sentences = places.now("".join(given.pop(places.WAS, [page])), given)
    if today != given or places.WAS in st.query_params:
        st.query_params.from_dict(today)
    for sentence in sentences:
        st.toast(sentence, icon=LINK_ICON, duration="long")
    _catch_up()
    st.session_state[_ON_SCREEN] = []
    st.session_state.pop(_MISFITS, None)
    if st.session_state.get(_PAGE) != page:
        st.session_state[_PAGE] = page
        forget_drawn()


def around_the_page() -> None:
    """Record the settings with which the frame around the page was drawn."""
    st.session_state[_AROUND] = _around(), on_screen()


def begin_part() -> None:
    """Begin a run of the page without its frame; if settings of the frame have changed, run everything instead."""
    drawn_of, shown = st.session_state[_AROUND]
    if _around() != drawn_of:
        st.rerun()
    st.session_state[_ON_SCREEN] = list(shown)
    st.session_state.pop(_MISFITS, None)


def _around() -> dict[str, list[str]]:
    return {key: texts for key, texts in address().items() if ("." not in key and key != MADE_ON) or _opens_a_page(key)}


def _opens_a_page(key: str) -> bool:
    return key.endswith(".view")


def page() -> str:
    """Return the stem of the open place, which is the name of its file; "" if no place is open."""
    here: str = session().get(_PAGE, "")
    return here


def on_screen() -> list[Settings]:
    """Return the settings shown in this run, those that all pages share first."""
    return list(session().get(_ON_SCREEN, []))


def state() -> dict[str, Any]:
    """Return the part of the session's state with the current page and its settings."""
    return {_PAGE: page(), _ON_SCREEN: on_screen()}


def misfits_in(place: Any) -> None:
    """Set the container for messages on settings that do not fit; a run shows them there as soon as it finds them."""
    st.session_state[_MISFITS] = _Message(place)
    _say_misfits(())


def misfits() -> None:
    """Report the settings in the address that do not fit the open collection, in one message."""
    if _MISFITS not in st.session_state:
        st.session_state[_MISFITS] = _Message(st)
    _say_misfits(st.session_state.pop(_REFUSED, ()))


class _Message:
    """A slot on the page for one message; it takes up no space while it is empty."""

    def __init__(self, place: Any) -> None:
        self._place = place
        self._slot: Any = None

    def warn(self, text: str) -> None:
        """Show a message, in place of the previous one."""
        self._slot = self._place.empty() if self._slot is None else self._slot
        self._slot.warning(text, icon=LINK_ICON)


def _say_misfits(refused: Sequence[str]) -> None:
    place: _Message | None = st.session_state.get(_MISFITS)
    result = list(dict.fromkeys([*(misfit for shown in on_screen() for misfit in shown.misfits), *refused]))
    lines = ["These settings do not apply to this collection and were reset:", *result] if result else []
    known = address()
    if strangers := [key for key in st.query_params if key not in known]:
        lines.append(unknown(strangers))
    if place and lines:
        place.warn("  \n".join(lines))


@callback
def reset_page() -> None:
    """Reset the page to its defaults; the open collection, the filter and other pages of the place do not change."""
    own = tuple(f"{shown.PAGE}." for shown in on_screen() if shown.PAGE)
    write({key: texts for key, texts in address().items() if _opens_a_page(key) or not key.startswith(own)})


def remember(page: str) -> None:
    """Store the current settings of a place, so that they are restored when people return to it."""
    own = {key: texts for key, texts in address().items() if "." in key}
    st.session_state.setdefault(_REMEMBERED, {})[page] = own


def remembered() -> Callable[[str], dict[str, list[str]]]:
    """Return a function that maps a place to its last address in this session, for the open collection."""
    here, seen = shared(address()), st.session_state.get(_REMEMBERED, {})
    return lambda page: {**here, **seen.get(page, {})}
