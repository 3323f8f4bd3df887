"""Thumbs in a figure that can be dragged by mouse or finger. Keyboards use the sliders instead; see handles.js."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evalcore.common.arrays import FloatArray


def line(key: str, axis: str, at: float, between: tuple[float, float], step: float, title: str) -> dict[str, Any]:
    """Return the data of a draggable line across the axis "x" or "y"; dragging it moves the slider with this key.

    `title` is the line's label.
    """
    low, high = between
    return {"key": key, "axis": axis, "at": at, "low": low, "high": high, "step": step, "title": title}


def point(key: str, at: Sequence[float], points: FloatArray, title: str) -> dict[str, Any]:
    """Return the data of a thumb that moves between these points in a triangle.

    The slider with this key has one position for each point.
    """
    return {"key": key, "at": list(at), "points": points.tolist(), "title": title}


def offered(handles: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the layout that gives these thumbs to a figure."""
    return {"meta": {"handles": list(handles)}}
