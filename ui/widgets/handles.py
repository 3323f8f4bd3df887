"""Thumbs in a figure: what can be dragged there by mouse or finger. Keys stay with the sliders; see handles.js."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evalcore.common.arrays import FloatArray


def line(key: str, axis: str, at: float, between: tuple[float, float], step: float, title: str) -> dict[str, Any]:
    """A line across an axis, "x" or "y", that moves the slider known by a key; `title` says what it is."""
    low, high = between
    return {"key": key, "axis": axis, "at": at, "low": low, "high": high, "step": step, "title": title}


def point(key: str, at: Sequence[float], points: FloatArray, title: str) -> dict[str, Any]:
    """A point of a triangle that moves over some of its points; the slider counts them."""
    return {"key": key, "at": list(at), "points": points.tolist(), "title": title}


def offered(handles: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The layout of a figure that offers these."""
    return {"meta": {"handles": list(handles)}}
