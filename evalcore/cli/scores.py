"""Output of scores of several measures: text as trec_eval prints it, or a long table.

Scores are {name: frame of topics x systems}, in the requested order. A topic without a score (nan) has no line.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from evalcore.cli.output import decimals, shown, write, write_frame
from evalcore.cli.terminal import clean
from evalcore.cli.trec_eval import Plain, number, of_all, of_topics
from evalcore.common.lazy_imports import np, pd
from evalcore.notation.trec_eval import in_order

Scores: TypeAlias = Mapping[str, "pd.DataFrame"]

TREC_EVAL = "trec_eval"
FORMATS = (TREC_EVAL, "table", "csv", "json", "latex")
_OUTSIDE_QUOTES = re.compile(r"""("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|\s+""")


def write_scores(scores: Scores, options: argparse.Namespace, form: str, by_topic: bool, title: str = "") -> None:
    """Write scores in one of FORMATS: means over topics, and with `by_topic` every topic too."""
    if form == TREC_EVAL:
        write_text({name: Plain.of(frame) for name, frame in scores.items()}, options, by_topic)
    elif form == "table":
        write_frame(wide(scores, by_topic), options, form)
    elif form == "latex":
        write(_latex(shown(wide(scores, by_topic), options), list(scores), options, title), options)
    else:
        write_frame(long(scores, by_topic), options, form)


def _latex(frame: pd.DataFrame, names: list[str], options: argparse.Namespace, title: str) -> str:
    """Return a LaTeX table for a paper; its caption names the measures and the data."""
    from evalcore.common.latex import caption, latex_table

    digits = decimals(options)
    what = caption("Scores of every system", title, names)
    return latex_table(frame, what, label="scores", decimals=dict.fromkeys(map(str, frame.columns), digits))


def long(scores: Scores, by_topic: bool) -> pd.DataFrame:
    """Return a long table: system, measure, topic (only with `by_topic`), score."""
    every = ((system, name, frame) for system in systems_of(scores) for name, frame in scores.items())
    columns = [(system, name, frame[system]) for system, name, frame in every if system in frame.columns]
    if not by_topic:
        rows = [(system, name, column.mean()) for system, name, column in columns]
        return pd.DataFrame(rows, columns=["system", "measure", "score"])
    sizes = [len(column) for _, _, column in columns]
    return pd.DataFrame(
        {
            "system": np.repeat(np.array([system for system, _, _ in columns], dtype=object), sizes),
            "measure": np.repeat(np.array([name for _, name, _ in columns], dtype=object), sizes),
            "topic": [topic for _, _, column in columns for topic in column.index],
            "score": np.concatenate([column.to_numpy() for _, _, column in columns]),
        }
    ).dropna(subset=["score"], ignore_index=True)


def wide(scores: Scores, by_topic: bool) -> pd.DataFrame:
    """Return a table: a column for each measure, a line for each system (with `by_topic`, each system and topic)."""
    if not by_topic:
        means = pd.DataFrame({name: frame.mean() for name, frame in scores.items()})
        return means.loc[systems_of(scores)].rename_axis("system").reset_index()
    stacked = pd.DataFrame({name: frame.T.stack() for name, frame in scores.items()})
    return stacked.rename_axis(["system", "topic"]).reset_index()


def write_text(scores: Mapping[str, Plain], options: argparse.Namespace, by_topic: bool) -> None:
    """Write scores as trec_eval prints them."""
    write(trec_eval_text(scores, by_topic, decimals(options)), options)


def trec_eval_text(scores: Mapping[str, Plain], by_topic: bool, digits: int) -> str:
    """Return the output of `trec_eval` (with `by_topic`, of `trec_eval -q`) for each system, with its runid."""
    names = {name: compact(name) for name in scores}
    lines: list[str] = []
    for system in _systems(scores):
        those = {names[name]: scores[name] for name in in_order(scores) if system in scores[name].systems}
        if by_topic:
            lines += _topic_lines(those, system, digits)
        lines.append(f"{'runid':<22}\tall\t{clean(system)}\n")
        for name, frame in those.items():
            if (value := of_all(name, frame, system)) is not None:
                lines.append(f"{name:<22}\tall\t{number(name, value, digits)}\n")
    return "".join(lines)


def _topic_lines(scores: Mapping[str, Plain], system: str, digits: int) -> Iterator[str]:
    """Yield lines of topics in alphabetical order, as in trec_eval: 10 comes before 9."""
    values = {name: of_topics(name, frame, system) for name, frame in scores.items()}
    for topic in sorted({topic for known in values.values() for topic in known}):
        for name, known in values.items():
            if topic in known:
                yield f"{name:<22}\t{clean(topic)}\t{number(name, known[topic], digits)}\n"


def _systems(scores: Mapping[str, Plain]) -> list[str]:
    return list(dict.fromkeys(system for score in scores.values() for system in score.systems))


def compact(name: str) -> str:
    """Return a measure's text without spaces outside quotes, because readers of trec_eval's output split at spaces.

    >>> compact('MM(nDCG, aspects=["a b", "c"])')
    'MM(nDCG,aspects=["a b","c"])'
    """
    return clean(_OUTSIDE_QUOTES.sub(lambda match: match[1] or "", name))


def systems_of(scores: Scores) -> list[str]:
    """Return the systems that any measure scores, in order of first appearance."""
    return list(dict.fromkeys(system for frame in scores.values() for system in frame.columns))
