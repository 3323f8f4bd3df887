"""What a measure of several aspects is worth, beside simple measures that each look at one thing.

Every two systems on every topic are ordered by a measure, or tied: scores are compared as in `correlation`. Simple
measures, such as nDCG of each aspect by itself, say what nobody disputes: who is better by all of them is better.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evalcore.direction import directed, good_of, upwards
from evalcore.meta.align import as_numbers, refuse_no_frames
from evalcore.meta.correlation import tau
from evalcore.meta.matrix import shared_part
from evalcore.meta.order import ahead

Signs = NDArray[np.int8]  # (N,) of topics and pairs: 1 the first system is ahead, -1 the second, 0 tied


def unanimity(scores: Mapping[str, pd.DataFrame], simple: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """How often each measure agrees where all simple ones do (Amigo, Spina & Carrillo-de-Albornoz 2018).

    Of the topics and pairs of systems that all simple measures order the same way, `pairs`, the share that the measure
    orders so, a tie half: `agrees`, 0 to 1. `unanimity` is their pointwise mutual information, log2(2 * agrees), 1 at
    most; -inf where it never agrees. nan where no pair is ordered by all. Frames are topics x systems. Raises
    InputError where they share fewer than two systems or no topic.

    >>> simple = {"relevance": pd.DataFrame({"a": [1.0], "b": [0.5], "c": [0.0]}),
    ...           "credibility": pd.DataFrame({"a": [0.8], "b": [0.9], "c": [0.1]})}
    >>> unanimity({"mean": pd.DataFrame({"a": [0.9], "b": [0.7], "c": [0.7]})}, simple).loc["mean"].round(3).tolist()
    [2.0, 0.75, 0.585]
    """
    return _unanimity(*_signs(scores, simple))


def _unanimity(of_scores: Mapping[str, Signs], of_simple: Mapping[str, Signs]) -> pd.DataFrame:
    agreed = np.sign(np.sum(list(of_simple.values()), axis=0))
    agreed = np.where(np.all([signs == agreed for signs in of_simple.values()], axis=0), agreed, 0)
    asked = agreed != 0
    rows = {}
    for name, signs in of_scores.items():
        same = float(np.mean((1 + signs[asked] * agreed[asked]) / 2)) if asked.any() else np.nan
        with np.errstate(divide="ignore"):
            rows[name] = (int(asked.sum()), same, float(np.log2(2 * same)))
    return pd.DataFrame.from_dict(rows, orient="index", columns=["pairs", "agrees", "unanimity"]).rename_axis("measure")


def intuitiveness(scores: Mapping[str, pd.DataFrame], simple: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Which of two measures the simple ones side with, where the two disagree (Sakai 2012: the concordance test).

    For every two measures a row: test, reference, disagreements (topics and pairs of systems that they order the other
    way round), test_right and reference_right: of these the share in which no simple measure contradicts it. A simple
    measure that ties contradicts neither. nan where the two never disagree. Raises InputError as `unanimity` does.

    >>> simple = {"precision": pd.DataFrame({"a": [1.0], "b": [0.5], "c": [0.5]})}
    >>> x, y = pd.DataFrame({"a": [3], "b": [2], "c": [1]}), pd.DataFrame({"a": [1], "b": [2], "c": [3]})
    >>> found = intuitiveness({"x": x, "y": y}, simple)  # b and c are tied: neither is wrong
    >>> found.iloc[0, 2:].astype(float).round(3).tolist()
    [3.0, 1.0, 0.333]
    """
    return _intuitiveness(*_signs(scores, simple))


def _intuitiveness(of_scores: Mapping[str, Signs], of_simple: Mapping[str, Signs]) -> pd.DataFrame:
    right = {
        name: np.all([signs * other >= 0 for other in of_simple.values()], axis=0) for name, signs in of_scores.items()
    }
    rows = []
    for test, reference in combinations(of_scores, 2):
        apart = of_scores[test] * of_scores[reference] < 0
        shares = [float(right[name][apart].mean()) if apart.any() else np.nan for name in (test, reference)]
        rows.append((test, reference, int(apart.sum()), *shares))
    return pd.DataFrame(rows, columns=["test", "reference", "disagreements", "test_right", "reference_right"])


def skyline(simple: Mapping[str, pd.DataFrame]) -> pd.Series:
    """The layer of each system by its means under simple measures, 1 the best: what no other dominates comes first.

    A system dominates another that is nowhere better and somewhere worse. Layer by layer what is left is looked at
    anew, as the skyline of a set of tuples is peeled off. Systems that some measure does not score everywhere are left
    out. Raises InputError as `unanimity` does.

    >>> simple = {"relevance": pd.DataFrame({"a": [1.0], "b": [0.5], "c": [0.4]}),
    ...           "credibility": pd.DataFrame({"a": [0.5], "b": [0.9], "c": [0.4]})}
    >>> skyline(simple).to_dict()
    {'a': 1, 'b': 1, 'c': 2}
    """
    refuse_no_frames(simple)
    cut = shared_part(dict(enumerate(simple.values())))  # type: ignore[arg-type]
    means = pd.DataFrame({name: upwards(as_numbers(frame)).mean(skipna=False) for name, frame in cut.items()}).dropna()
    places = np.column_stack([ahead(means[name].to_numpy(dtype=np.float64)) for name in means])
    dominated = (places[:, None] >= places).all(axis=2) & (places[:, None] > places).any(axis=2)
    layer = np.zeros(len(places), dtype=int)
    while not layer.all():
        left = layer == 0
        layer[left & ~(dominated & left).any(axis=1)] = layer.max() + 1
    return directed(pd.Series(layer, index=means.index, name="layer"), "low")


def _in_layers(scores: Mapping[str, pd.DataFrame], simple: Mapping[str, pd.DataFrame]) -> pd.Series:
    """tau_b of each measure's system means with the order of the skyline's layers."""
    layers = skyline(simple)
    values = {name: _with_layers(frame, layers) for name, frame in scores.items()}
    return pd.Series(values, name="skyline", dtype=float)


def _with_layers(scores: pd.DataFrame, layers: pd.Series) -> float:
    """tau_b of system means with layers, over the systems that have both."""
    both = layers.index.intersection(scores.columns, sort=False)
    return float(tau(directed(as_numbers(scores)[both].mean(), good_of(scores)), layers[both]))


def worth(scores: Mapping[str, pd.DataFrame], simple: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Both in one table, a row for each measure: `unanimity`, and `intuitiveness` over all other measures.

    disagreements are those with any other measure, and right the share of them in which no simple measure contradicts
    this one; others_right the same of the others. skyline is the tau_b of system means with the layers of `skyline`.
    Raises InputError as `unanimity` does.
    """
    signs = _signs(scores, simple)
    table, pairs = _unanimity(*signs), _intuitiveness(*signs)
    turned = pairs.set_axis(["reference", "test", "disagreements", "reference_right", "test_right"], axis=1)
    both = pd.concat([pairs, turned])[lambda rows: rows["disagreements"] > 0]
    weights = both["disagreements"]
    sums = both.assign(right=both["test_right"] * weights, others_right=both["reference_right"] * weights)
    sums = sums.groupby("test")[["disagreements", "right", "others_right"]].sum().reindex(table.index)
    disagreements = sums["disagreements"].fillna(0).astype(int)
    shares = sums[["right", "others_right"]].div(sums["disagreements"], axis=0)
    return table.assign(disagreements=disagreements, **shares, skyline=_in_layers(scores, simple))


def _signs(
    scores: Mapping[str, pd.DataFrame], simple: Mapping[str, pd.DataFrame]
) -> tuple[dict[str, Signs], dict[str, Signs]]:
    """How measures and simple ones order each pair on each topic, where all have scores of both systems."""
    refuse_no_frames(simple)
    frames = [*scores.values(), *simple.values()]
    cut = [upwards(as_numbers(frame)) for frame in shared_part(dict(enumerate(frames))).values()]  # type: ignore[arg-type]
    known = ~np.any([frame.isna().to_numpy() for frame in cut], axis=0)
    first, second = np.triu_indices(known.shape[1], 1)
    both = known[:, first] & known[:, second]
    signs = []
    for scored in cut:
        places = ahead(scored.to_numpy(dtype=np.float64))
        signs.append(np.sign(places[:, second] - places[:, first]).astype(np.int8)[both])
    return dict(zip(scores, signs, strict=False)), dict(zip(simple, signs[len(scores) :], strict=True))
