"""The measures that a page compares, chosen from suggested sets or typed, and their scores."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar, cast

import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import InputError
from evalcore.common.progress import Tell, telling
from evalcore.data import Collection
from evalcore.errors import shorten
from evalcore.measures import Compat, GainMeasure, Measure, nDCG, suggestions
from evalcore.structures.documents import Topics
from ui.address.settings import LINK_ICON, Settings
from ui.computing.cached import cached
from ui.computing.work import Job, found_or_why, kept, results
from ui.screen.calls import Call, call, line
from ui.screen.drawing_ahead import Elsewhere, elsewhere
from ui.screen.text import counted, markdown
from ui.widgets.fields import Measures, OneMeasure, values_of

OfMeasure = TypeVar("OfMeasure", bound=Measure)

MOST = 26  # most measures: the size of the largest suggested set
NOT_YET = "its scores have not been computed yet; continue above"
NOTATION = (
    "Choose measures, or type one in the notation of ir_measures and press Enter: AP, nDCG@10, RBP(rho=0.5), "
    'uRBP1(aspect="fog", threshold=15), CAM(nDCG), TOMA(AP, aspects=["relevance", "credibility"]), '
    '..., or nDCG(source="llm") if there are several sources of labels'
)


@cached(16)
def suggested(collection: Collection) -> dict[str, list[Measure]]:
    """Map names to sets of measures that fit the collection. The dict is cached: do not change it in place."""
    return suggestions(collection)


@cached(16)
def offered(collection: Collection) -> list[str]:
    """Return the texts of all suggested measures. The list is cached: do not change it in place."""
    return list(dict.fromkeys(str(measure) for listed in suggested(collection).values() for measure in listed))


def of_measures(collection: Collection, label: str = "Measures to compare") -> Measures:
    """Return the field of several measures; its default is the first set that fits the collection."""
    first = next(iter(suggested(collection).values()))
    return Measures(label, offered(collection), tuple(map(str, first)), most=MOST, help=NOTATION)


def unlike(first: str, others: Sequence[str], collection: Collection) -> str:
    """Return the first of `others` that orders systems differently from `first`; if there is none, `others[0]`."""
    for text in others:
        with suppress(InputError):
            if ec.tau(scores(collection, first).mean(), scores(collection, text).mean()) < 1:
                return text
    return others[0]


def of_measure(collection: Collection, label: str = "Measure", default: str = "") -> OneMeasure:
    """Return the field in which one measure is chosen from those offered, or typed."""
    return OneMeasure(label, offered(collection), default, help=NOTATION)


def of_base(collection: Collection, label: str, help: str = "") -> OneMeasure:
    """Return the field of a base: a measure that reads exactly one aspect, and could read any aspect instead."""
    texts = _bases(collection)
    text = f"{help} Choose one, or type one and press Enter: nDCG@5, RBP(rho=0.5), ERR@20, ...".strip()
    return OneMeasure(label, texts, fits=_refuse_several, help=text)


def _refuse_several(text: str) -> None:
    if not reads_one(ec.parse(text)):
        raise InputError(f"expected a measure of one aspect (such as nDCG@10), found {text}")


@cached(16)
def _bases(collection: Collection) -> list[str]:
    listed = (measure for several in suggested(collection).values() for measure in several)
    known = [nDCG(), Compat(), *filter(reads_one, listed), *filter(reads_one, values_of(GainMeasure).values())]
    return list(dict.fromkeys(str(measure.with_(aspect=nDCG().aspect)) for measure in known))


def reads_one(measure: Measure) -> bool:
    """Return True if a measure reads exactly one aspect and can be set to read any aspect."""
    if not isinstance(measure, GainMeasure) or "aspect" not in measure.parameters():
        return False
    return measure.with_(aspect="any").columns == ("any",)


def draw_measures(settings: Settings) -> None:
    """Draw the choice of several measures, and buttons with suggested sets."""
    sets = suggested(settings.collection)
    with st.popover("Measures", icon=":material/straighten:", width="stretch"):
        st.caption("Start with a set of measures")
        with st.container(horizontal=True):
            for label, listed in sets.items():
                texts = tuple(map(str, listed))[:MOST]
                key = f"{settings.key('measures')} {label}"
                st.button(label, key=key, on_click=settings.change, kwargs={"measures": texts})
        settings.draw("measures")
        st.caption(markdown(NOTATION))


def scored(name: str, measure: Measure | str, collection: Collection) -> Call[pd.DataFrame]:
    """Return the call that computes the scores under a measure, topics x systems."""
    return call(name, ec.evaluate, measure, collection).by(evaluate)


def scored_on_all(name: str, measure: Measure | str, collection: Collection) -> Call[pd.DataFrame]:
    """Return the call that computes the scores on every topic; missing rankings count as empty.

    Do not average these scores: a system may have no results for some of the topics.
    """
    return call(name, ec.evaluate, measure, collection, topics="all").by(evaluate)


def parsed(name: str, measure: OfMeasure) -> Call[OfMeasure]:
    """Return the call that makes a measure from its text, for code that needs more than the measure's scores."""
    made = call(name, ec.parse, str(measure)).known(measure)
    return cast(Call[OfMeasure], made)


def averaged(scored: Call[pd.DataFrame]) -> Call[pd.Series]:
    """Return the call that computes the mean score of each system over topics."""
    return line("", scored.it.mean())


def scored_by(name: str, measures: Sequence[Measure | str], collection: Collection) -> Call[dict[str, pd.DataFrame]]:
    """Return the call that maps the text of each measure to its scores, topics x systems."""
    return call(name, ec.evaluate, measures, collection).by(evaluate)


def evaluate(
    measure: Measure | str | Sequence[Measure | str], collection: Collection, topics: Topics | None = None
) -> Any:
    """Return the result of `ec.evaluate`; scores on a collection with a fingerprint are cached."""
    if topics:
        collection = ec.average_over(collection, topics)
    if not collection.fingerprint:  # a worked example has no fingerprint, so its scores cannot be kept
        return ec.evaluate(measure, collection)
    if isinstance(measure, str | Measure):
        return scores(collection, measure)
    return frames(collection, list(map(str, measure)))


def frames(collection: Collection, texts: Sequence[str]) -> dict[str, pd.DataFrame]:
    """Map each measure to its scores, topics x systems, and warn about measures without scores on the collection."""
    scored, left_out = answered(collection, texts)
    say_left_out(left_out)
    return scored


def answered(collection: Collection, texts: Sequence[str]) -> tuple[dict[str, pd.DataFrame], dict[str, InputError]]:
    """Return the scores (topics x systems) by measure, and the errors of measures without scores, also by measure."""
    return apart(_all_scores(collection, texts))


def apart(answers: Mapping[str, pd.DataFrame | InputError]) -> tuple[dict[str, pd.DataFrame], dict[str, InputError]]:
    """Return the scores and the errors separately, each by measure."""
    known = {text: measure for text, measure in answers.items() if not isinstance(measure, InputError)}
    return known, {text: answer for text, answer in answers.items() if isinstance(answer, InputError)}


def say_left_out(left_out: Mapping[str, InputError]) -> None:
    """Warn about each measure without scores, with the reason."""
    for text, error in left_out.items():
        st.warning(f"{markdown(text)} is left out: {markdown(error)}", icon=LINK_ICON)


def scores(collection: Collection, measure: Measure | str) -> pd.DataFrame:
    """Return the scores under a measure, topics x systems. They are cached: do not change them.

    Raises InputError if the measure has no scores, or if they are not computed yet.
    """
    scores_or_why = _all_scores(collection, [str(measure)])[str(measure)]
    if isinstance(scores_or_why, InputError):
        raise scores_or_why
    return scores_or_why


def _all_scores(collection: Collection, texts: Sequence[str]) -> dict[str, pd.DataFrame | InputError]:
    """Map the text of each measure to its scores, topics x systems, or to its error."""
    if there := elsewhere():
        return {text: _scores_of_place(there, collection, text) for text in texts}
    names = {text: _name(collection, text) for text in texts}
    jobs: dict[Hashable, Job[pd.DataFrame | InputError]]
    jobs = {name: partial(_scored, collection, text) for text, name in names.items()}
    label = f"Scoring by {markdown(shorten(texts[0]) if len(texts) == 1 else counted(len(texts), 'measure'))}"
    tables = results("scores", label, jobs, above=True)
    return {text: tables.get(name, InputError(NOT_YET)) for text, name in names.items()}


def _scores_of_place(there: Elsewhere, collection: Collection, text: str) -> pd.DataFrame | InputError:
    """Return the scores at another slider position, or the error, cached only while that position is drawn."""
    name = _name(collection, text)
    known = there.scored.get(name, kept(name))
    there.scored[name] = found_or_why(lambda: ec.evaluate(text, collection)) if known is None else known
    result: pd.DataFrame | InputError = there.scored[name]
    return result


def _name(collection: Collection, text: str) -> Hashable:
    return ("scores", collection.fingerprint, text)


def _scored(collection: Collection, text: str, tell: Tell) -> pd.DataFrame | InputError:
    with telling(tell):
        return found_or_why(lambda: ec.evaluate(text, collection))
