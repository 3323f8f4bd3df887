"""Labels that look like the best of a scale and may mean that the assessor could not judge."""

from __future__ import annotations

import re

import numpy as np

from evalcore.common.arrays import FloatArray

RARE = 20  # times as often as the top label the next one must occur, for the top one to be doubtful
FAR = 2.0  # times the range of the other labels that the top one must stand above them
MOST = 20  # labels; of more, the top one is a number like the others
# Tracks that documented a code for "cannot judge": what their files' names say, the code, the track.
DOCUMENTED = ((("2021", "chs"), 3.0, "CLEF eHealth 2021, Consumer Health Search"),)


def doubtful_label(values: FloatArray, name: str = "") -> tuple[float, str] | None:
    """The top label, and why it may mean "cannot judge"; None where nothing speaks for it. `name` is that of the file.

    >>> import numpy as np
    >>> doubtful_label(np.array([0.0, 1, 2, 2, 9]))
    (9.0, 'stands far above the others, 0 to 2')
    >>> doubtful_label(np.array([0.0, 1, 2, 3])) is None
    True
    """
    labels, counts = np.unique(values[values >= 0], return_counts=True)
    if not 2 < len(labels) <= MOST:
        return None
    top, below = float(labels[-1]), float(labels[-2])
    words = set(re.findall(r"[a-z]+|\d+", name.lower()))
    for wanted, code, track in DOCUMENTED:
        if top == code and words.issuperset(wanted):
            return top, f"means that in {track}"
    if top - below > FAR * (below - labels[0]):
        return top, f"stands far above the others, {labels[0]:g} to {below:g}"
    if counts[-2] >= RARE * counts[-1]:
        return top, f"was given {counts[-1]:,} times, {below:g} {counts[-2]:,} times"
    return None
