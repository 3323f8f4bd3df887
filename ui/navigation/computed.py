"""Scores, walks and simulated users, kept for the next run."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import figures
from evalcore.arrays import FloatArray
from evalcore.data import Collection
from evalcore.explain.navigation import (
    Walkthrough,
    approximation_error,
    precision_curves,
    walkers_beside,
    walkthrough,
)
from evalcore.measures import MAep
from ui.computing.measures import scores
from ui.navigation.controls import DEPTH, NavigationSettings

WALKERS = 20_000


def both_scores(view: NavigationSettings) -> dict[str, pd.DataFrame]:
    """Scores without and with navigation."""
    return {
        "without": scores(view.collection, view.baseline),
        "with": scores(view.collection, view.measure),
    }


def walked(view: NavigationSettings) -> Walkthrough:
    return walk_of(view.collection.fingerprint, str(view.measure), view.topic, view.system, view.collection)


def maep(text: str) -> MAep:
    measure = ec.parse(text)
    assert isinstance(measure, MAep)
    return measure


@st.cache_resource(max_entries=64, show_spinner=False)
def walk_of(fingerprint: str, measure: str, topic: str, system: str, _collection: Collection) -> Walkthrough:
    return walkthrough(_collection, maep(measure).users, topic, system, DEPTH)


@st.cache_data(max_entries=128, show_spinner=False)
def places_of(count: int, links: tuple[tuple[int, int], ...]) -> FloatArray:
    return figures.spread(count, np.array(links, dtype=int).reshape(-1, 2))


@st.cache_data(max_entries=32, show_spinner="Walking")
def curves_of(fingerprint: str, measure: str, topic: str | None, _collection: Collection) -> pd.DataFrame:
    return precision_curves(maep(measure), _collection, topic=topic)


@st.cache_data(max_entries=32, show_spinner="Approximating")
def errors_of(fingerprint: str, measure: str, _collection: Collection) -> pd.DataFrame:
    return approximation_error(maep(measure), _collection)


@st.cache_data(max_entries=32, show_spinner="Simulating users")
def walkers_of(fingerprint: str, measure: str, topic: str, system: str, _collection: Collection) -> pd.DataFrame:
    return walkers_beside(maep(measure), _collection, topic, system, WALKERS)
