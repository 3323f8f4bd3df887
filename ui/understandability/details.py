"""Closer looks: the rankings, their correlations, systems that only one measure tells apart, scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import figures
from evalcore.figures.style import Styles
from evalcore.measures import HRBP, Measure, uRBP2, uRBPgr
from evalcore.measures.catalogue import usual_gains
from evalcore.meta import RankIntervals, best_first
from evalcore.meta.resampling import Interval
from evalcore.sensitivity import tau_between
from ui.address import families
from ui.address.highlight import Highlight
from ui.computing import work
from ui.computing.doubt import COLUMNS, DRAWN, RESAMPLES, bootstrap_interval, decimals, doubt_of, intervals_of
from ui.computing.measures import averaged, scored
from ui.computing.unassessed import unassessed, unassessed_decimals, with_unassessed
from ui.data import pins
from ui.screen.calls import Call, call, each, line, record
from ui.screen.items import Columns, Figure, Headline, Height, Item, Table, Text
from ui.screen.text import counted, markdown, reading_name
from ui.shell import live
from ui.stage import show
from ui.understandability.reader import INTERVALS, PAIRS, SIDES, Reader, Variant, setting_of, step_model, threshold_of
from ui.widgets.fields import Number, Stepped

NO_INTERVALS = (
    "Ranks have no intervals here: *Show doubt* is off, in the sidebar, or there are too many systems for a page, of "
    "which `ec.rank_intervals` has them."
)
VALUES = 25  # at most, along each of the two
LABELS = {"rho": "Persistence ρ", "threshold": "Threshold"}
DRAWN_TAU = {"resamples": RESAMPLES, "seed": 0}


def details(reader: Reader, highlight: Highlight, before: list[pd.Series] | None) -> None:
    """One of several closer looks; only the open one is computed."""
    reader.draw("look")
    if reader.look == "Ranking":
        styles = families.styles(reader.collection)
        live.follow(reader, lambda reader: ranking(reader, styles, highlight))
    elif reader.look == INTERVALS:
        reader.draw("sure")
        if (intervals := intervals_of(reader.scores[SIDES.index(reader.sure)])) is None:
            show.put(Text(NO_INTERVALS, "info"))
        else:
            show.screen(ranks_over_topics(reader, intervals, families.styles(reader.collection), highlight))
    elif reader.look == "τ by setting":
        along(reader)
    elif reader.look == "Correlation":
        show.screen(correlations(reader))
    elif reader.look == PAIRS:
        reader.draw_in_row("same", "apart")
        show.screen(distinguished_pairs(reader))
    else:
        show.screen(score_table(reader, before))


def ranking(reader: Reader, styles: Styles, highlight: Highlight) -> Iterator[Item]:
    """Who is where by each measure, and who swaps."""
    yield Text.note("Ranks from best (top) to worst; a line that crosses another is a pair of systems that swapped.")
    scores = ascending(reader)
    means = {text: averaged(frame).it for text, frame in scores.items()}
    doubt, own = doubt_of(*scores.values()), families.styles_of(reader.collection)
    made = call("", figures.bump, means, styles=own, doubt=doubt.it if doubt else ())
    figure = made.here(styles=styles, selected=highlight.systems)
    alt = "Ranks of all systems under each measure; the values are in the table under Scores"
    yield Figure(figure, "bump", alt, highlight.take, ("points",))


def measure_of_side(reader: Reader) -> Measure:
    return (reader.baseline, reader.variants[0])[SIDES.index(reader.sure)]


def ranks_over_topics(
    reader: Reader, intervals: Call[RankIntervals], styles: Styles, highlight: Highlight
) -> Iterator[Item]:
    """How sure the ranks by one of the two measures are."""
    ranks, measure = intervals.value, measure_of_side(reader)
    table = ranks.table
    draw = figures.ranks_over_topics
    figure = call("", draw, intervals.it.table, styles=families.styles_of(reader.collection)).here(
        styles=styles, selected=highlight.systems
    )
    name = reading_name(measure)
    alt = f"Rank intervals of {len(table)} systems by {name} over topics; the values are in the table below"
    yield Figure(figure, "sure", alt, highlight.take, ("points",), DRAWN)
    yield Text.note(
        f"The mark is a system's rank over the {ranks.n_topics} topics, filled where it may be the best (95 %, "
        "compared with the best). The thick line covers its true rank with 95% confidence for the first system, or "
        "another one that you had in mind; the thin lines of all systems hold together. Systems without a letter "
        "in common are separable, among all pairs. Bars: in which share of "
        f"{ranks.n_resamples:,} resamples of the topics it is first."
    )
    columns = {"rank": "rank", "shared": "shared by", "mean": "mean", **COLUMNS, "all_low": "all from"}
    columns |= {"all_high": "all to", "may_be_best": "may be best", "behind": "behind the leader", "groups": "letters"}
    beside = unassessed(measure, reader.collection)
    shown = with_unassessed(table[list(columns)].rename(columns=columns), beside)
    digits = decimals() | {"all from": 0, "all to": 0} | unassessed_decimals(shown)
    yield Table(shown, "ranks over topics", decimals=digits, height=420, drawn=DRAWN, calls=(intervals, *beside))


def ascending(reader: Reader) -> dict[str, Call[pd.DataFrame]]:
    """RBP first, then the variants by ascending threshold."""
    baseline, *others = reader.scores
    ordered = sorted(zip(reader.variants, others, strict=True), key=lambda pair: threshold_of(pair[0]) or 0.0)
    return {str(reader.baseline): baseline, **{str(variant): result for variant, result in ordered}}


def compared_models(reader: Reader) -> list[Variant]:
    """Every user model at every threshold that is set, or at every grade."""
    scale, column = reader.scale, reader.column
    chosen = sorted(at for at in map(threshold_of, reader.variants) if at is not None) or scale.grades[1:]
    models = (step_model(scale), uRBP2, HRBP)
    measures: list[Variant] = [
        model(aspect=column, threshold=threshold, **reader.common) for model in models for threshold in chosen
    ]
    if not scale.continuous:
        measures.append(uRBPgr(aspect=column, **reader.common, gains=reader.gains or usual_gains(scale)))
    return measures


def correlations(reader: Reader) -> Iterator[Item]:
    """tau and tau_AP of RBP with every user model at every threshold: Tables 1 and 2 of the paper."""
    measures = compared_models(reader)
    calls = correlation_intervals(reader, measures)
    table = correlation_table(measures, *(result.value for result in calls))
    reasons = sorted({why for why in table["no interval"] if why})
    none = f"; [none] where it cannot be said ({'; '.join(reasons)})" if reasons else ""
    yield Text.note(
        f"How alike the ranking of systems by {markdown(reader.baseline)} and by each variant is, over "
        f"{len(reader.collection.topics)} topics; in brackets the 95% interval over topics, from {RESAMPLES:,} "
        f"resamples (seed 0), of what it is in truth{none}."
        " τ is Kendall's tau_b; τ_AP is Yilmaz's, reference RBP. The paper's Tables 1 and 2 have this shape."
    )
    shown = in_the_papers_shape(table, measures)
    yield Table(shown, "correlations", download=table, drawn=DRAWN_TAU, calls=calls)


def correlation_intervals(reader: Reader, measures: list[Variant]) -> tuple[Call[list[Interval]], Call[list[Interval]]]:
    """tau and tau_AP of RBP with each measure, with their intervals; the same resamples for all."""

    def interval(correlation: Callable[..., Any], x: pd.DataFrame, y: pd.DataFrame) -> Interval:
        return call("", ec.bootstrap_interval, correlation, x, y, RESAMPLES).by(bootstrap_interval).it

    rbp = reader.scores[0].it
    models = line("models", [scored("", measure, reader.collection).it for measure in measures])
    taus = each(models.it, lambda frame: interval(ec.tau, rbp, frame))
    return line("tau_intervals", taus), line(
        "tau_ap_intervals", each(models.it, lambda frame: interval(ec.tau_ap, frame, rbp))
    )


def correlation_table(measures: list[Variant], taus: Sequence[Interval], tau_aps: Sequence[Interval]) -> pd.DataFrame:
    """One row per measure: tau and tau_AP with their intervals."""
    rows = [
        (str(measure), tau.estimate, tau.low, tau.high, tau_ap.estimate, tau_ap.low, tau_ap.high, tau.why)
        for measure, tau, tau_ap in zip(measures, taus, tau_aps, strict=True)
    ]
    names = ["measure", "τ", "τ low", "τ high", "τ_AP", "τ_AP low", "τ_AP high", "no interval"]
    return pd.DataFrame(rows, columns=names)


def in_the_papers_shape(table: pd.DataFrame, measures: list[Variant]) -> pd.DataFrame:
    """User models down, thresholds across; estimate and interval in one cell."""
    cells: dict[str, dict[str, str]] = {}
    for measure, row in zip(measures, table.itertuples(index=False), strict=True):
        for name, estimate, low, high in (("τ", *row[1:4]), ("τ_AP", *row[4:7])):
            line = cells.setdefault(f"RBP vs. {type(measure).__name__}: {name}", {})
            ends = "none" if np.isnan(low) else f"{low:.3f}, {high:.3f}"
            line[setting_of(measure)] = f"{estimate:.3f}  [{ends}]"
    return pd.DataFrame(cells).T.fillna("")


def distinguished_pairs(reader: Reader) -> Iterator[Item]:
    """The blue and red cases of Figure 2, found."""
    x, y = reader.scores[:2]
    x_text, y_text = markdown(str(reader.baseline)), markdown(str(reader.variants[0]))
    yield Columns(
        (pairs_of("blue", reader, (x_text, x), (y_text, y)), pairs_of("red", reader, (y_text, y), (x_text, x)))
    )
    yield Text.note(
        "system_a is the better one where they are apart; p: two-sided paired t-test over topics, uncorrected."
    )


def pairs_of(
    colour: str, reader: Reader, alike: tuple[str, Call[pd.DataFrame]], different: tuple[str, Call[pd.DataFrame]]
) -> tuple[Item, ...]:
    """The pairs that one measure finds alike and the other apart."""
    pairs = call(colour, ec.distinguished_pairs, alike[1].it, different[1].it, **reader.limits)
    count = counted(len(pairs.value), "pair")
    title = Text(f":{colour}[**{count}**] alike by {alike[0]}, apart by {different[0]}", calls=(pairs,))
    if pairs.value.empty:
        return title, Text.note("No such pair at these limits; widen them.")
    height: Height = 300 if len(pairs.value) > 7 else "auto"
    return title, Table(pairs, f"{colour} pairs", decimals={"p_x": 3, "p_y": 3}, index=False, height=height)


def score_table(reader: Reader, before: list[pd.Series] | None) -> Iterator[Item]:
    """The means and ranks of all systems by each measure."""
    texts = (str(reader.baseline), *map(str, reader.variants))
    means = line("means", [made.it.mean() for made in reader.scores])
    places = line("ranks", each(means.it, lambda mean: record(ec.ranks)(mean)))
    pinned = pins.compared(before, reader.collection, *map(averaged, reader.scores))
    residual = line("residual", record(ec.residual)(reader.baseline, reader.collection).mean())
    assessed = line("assessed", record(reader.collection).report.systems["assessed@10"])
    table = pd.DataFrame(dict(zip(texts, means.value, strict=True)))
    won = pinned[1].value if pinned else []
    for at, text in enumerate(texts):
        table[f"rank by {text}"] = places.value[at].astype(int)
        if at < len(won):
            table[f"places won since the pin by {text}"] = won[at].astype(int)
    table["RBP residual"] = residual.value
    table["assessed@10"] = assessed.value
    yield Table(
        table.loc[best_first(means.value[0]).index],
        "scores",
        decimals={"assessed@10": 2},
        height=500,
        calls=(means, places, *pinned, residual, assessed),
    )
    yield Text.note("The residual is how much RBP could still rise if every unassessed document were relevant.")


# --- τ while persistence or threshold moves ------------------------------------------------------------------------


def along(reader: Reader) -> None:
    """The two curves side by side; clicked, one sets its slider."""
    both = f"{markdown(reader.baseline)} and by {markdown(reader.variants[0])}"
    st.caption(
        f"τ of the rankings by {both} while one number moves, with its 95% interval over topics ({RESAMPLES:,} "
        "resamples, seed 0): where τ of the true rankings of these systems may lie. No band: it cannot be said; the "
        "table says why. The upright line is the slider above; click a mark to set it."
    )
    names = followed(reader)
    for name, place in zip(names, st.columns(len(names), gap="medium"), strict=True):
        with place:
            if (taus := taus_along(reader, name)) is not None:
                live.follow(reader, partial(curve, taus, name), name)
                frame = taus.value.rename_axis(name)
                show.put(Table(frame, f"tau along {name}", height=200, drawn=DRAWN_TAU, calls=(taus,)))


def followed(reader: Reader) -> list[str]:
    """The numbers along which tau is followed: those that this reader has."""
    return [name for name in LABELS if getattr(reader, name) is not None]


def values(reader: Reader, name: str) -> list[float]:
    """The values along which tau is followed: those of the slider, or evenly spread ones of them."""
    field = reader.field(name)
    if isinstance(field, Stepped):
        return list(field.values)
    assert isinstance(field, Number)
    steps = round((field.high - field.low) / field.step)
    at = np.unique(np.linspace(0, steps, min(VALUES, steps + 1)).round())
    return [float(value) for value in np.round(field.low + at * field.step, 10)]


def curve(along: Call[pd.DataFrame], name: str, reader: Reader) -> Iterator[Item]:
    """The curve, and where on it the slider stands."""
    taus = along.value["tau"]
    if taus.notna().any():
        where = f"least alike at {taus.idxmin():.4g}" if taus.nunique() > 1 else "alike everywhere"
        yield Headline(f"**{LABELS[name]}**: {where}, τ {taus.min():.3f}", (along,))
    figure = call("", figures.tau_along, along.it, float(getattr(reader, name)), LABELS[name])
    alt = f"τ of RBP and uRBP along {LABELS[name]}; the values are in the table below"
    yield Figure(figure, f"along {name}", alt, partial(_set, reader, name), ("points",), DRAWN_TAU)


def _set(reader: Reader, name: str, clicked: list[str]) -> None:
    """A mark that was clicked sets the slider."""
    if clicked:
        reader.change(**{name: float(clicked[0])})


def taus_along(reader: Reader, name: str) -> Call[pd.DataFrame] | None:
    """tau, low, high and why by value; None where the work was held."""
    x, y = call("x", ec.parse, str(reader.baseline)).it, call("y", ec.parse, str(reader.variants[0])).it
    with_path = record(ec.with_path)

    def both(value: float) -> tuple[Measure, Measure]:
        swept = with_path(x, name, value) if name in reader.baseline.parameters() else x
        return with_path(y, name, value), swept

    steps = values(reader, name)
    made = call(f"along_{name}", tau_between, each(steps, both), reader.collection)
    taus = work.worked(made, reader.collection, f"Following τ along {LABELS[name]}", tells="tell")
    return None if taus is None else line(f"by_{name}", taus.it.set_axis(steps))
