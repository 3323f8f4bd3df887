"""Arguments of a kind that a public function does not take are refused by a sentence, not by pandas."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import pandas as pd
import pytest

import evalcore as ec

PATH = "sample_data/health"

WRONG = ("frames", "frame", "scores", "collection")


def of_kind(annotation: str) -> str:
    """Return the kind of a parameter, as its annotation says."""
    if "DataFrame" in annotation:
        return "frames" if "Mapping" in annotation else "frame"
    if "Series" in annotation or annotation == "Scores":
        return "scores"
    if "Collection" in annotation or "HasPool" in annotation:
        return "collection"
    for kind in ("Trajectory", "Sequence[float]", "int", "Measure"):
        if kind in annotation:
            return kind
    return "text"


def parameters() -> Iterator[tuple[str, dict[str, str], str]]:
    """Public functions by name, the kinds of what each needs, and one that has a wrong kind."""
    for name in sorted(ec.__all__):
        function = getattr(ec, name)
        if inspect.isfunction(function):
            every = inspect.signature(function).parameters.values()
            needed = [one for one in every if one.default is one.empty and one.kind is one.POSITIONAL_OR_KEYWORD]
            kinds = {one.name: of_kind(str(one.annotation)) for one in needed}
            yield from ((name, kinds, one) for one, kind in kinds.items() if kind in WRONG)


def test_another_kind_is_refused_by_every_function(sample: ec.Collection) -> None:
    frame = ec.evaluate("AP", sample)
    fitting = {"frames": {"AP": frame, "once more": frame}, "frame": frame, "scores": frame.mean()}
    fitting |= {"collection": sample, "Measure": "AP", "text": "AP", "int": 2, "Sequence[float]": [1.0, 2.0]}
    fitting["Trajectory"] = ec.trajectory("RBP", "rho", [0.5, 0.8], sample)
    wrong = {"frames": frame, "frame": frame.mean(), "scores": frame, "collection": PATH}
    otherwise = []
    for name, kinds, at in parameters():
        given = {one: wrong[kind] if one == at else fitting[kind] for one, kind in kinds.items()}
        try:
            getattr(ec, name)(**given)
        except ValueError as error:
            if "expected" in str(error) or "cannot read" in str(error):
                continue
            otherwise.append(f"{name}({at}): {error}")
        except Exception as error:
            otherwise.append(f"{name}({at}): {error!r}")
        else:
            otherwise.append(f"{name}({at}): taken")
    assert otherwise == []


def test_a_path_is_to_be_opened() -> None:
    with pytest.raises(ec.InputError, match=r"found str: ec\.load opens one"):
        ec.evaluate("AP", PATH)  # type: ignore[call-overload]


def test_a_frame_is_to_be_a_mean(sample: ec.Collection) -> None:
    with pytest.raises(ValueError, match=r"found DataFrame: use its mean\(\)"):
        ec.ranks(ec.evaluate("AP", sample))  # type: ignore[arg-type]
    assert isinstance(ec.ranks(ec.evaluate("AP", sample).mean()), pd.Series)
