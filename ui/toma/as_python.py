"""What recomputes the numbers of the page TOMA."""

from __future__ import annotations

from collections.abc import Sequence

from evalcore.figures.tuples import MOST_NODES
from evalcore.measures import CAM, MM
from evalcore.measures.labels import grades_upwards
from evalcore.measures.tuple_orders import Distance
from ui.address import families
from ui.computing.first import code as first_code
from ui.computing.first import tables
from ui.computing.tau import code as tau_code
from ui.computing.unassessed import unassessed_code
from ui.toma.tabs import reference
from ui.toma.view import View, rival
from ui.widgets.fields import values_of


def code(view: View, pinned: Sequence[str]) -> list[str]:
    """The headline, the closer look that is open, what was pinned, the figure."""
    looks = {"Order": _order, "Partial order": _partial, "Systems": _systems, "What changed": _changed}
    cam, mm = (str(rival(kind, view.measure)) for kind in (CAM, MM))
    return [
        "from evalcore import figures",
        "",
        f"toma = ec.parse({str(view.measure)!r})",
        f"measures = {{'CAM': {cam!r}, 'TOMA': toma, 'MM': {mm!r}}}",
        "scores = {name: ec.evaluate(one, c) for name, one in measures.items()}",
        "means = {name: one.mean() for name, one in scores.items()}",
        *first_code("scores.values()", *view.scores.values()),
        "first = {name: ec.best_first(one).head(1) for name, one in means.items()}",
        "tau = {name: ec.tau(means[name], means['TOMA']) for name in ('CAM', 'MM')} if len(c.systems) > 1 else {}",
        *tau_code(*((f"scores[{name!r}]", "scores['TOMA']") for name in ("CAM", "MM"))),
        "order = toma.order(c.assessments)  # classes of tuples, the worst first",
        "n_classes = order.n_classes",
        "",
        *pinned,
        *looks[view.asked.look](view, "pinned[0]" if pinned else ""),
        f"figures.tuple_plane(toma, c.assessments{_held(view)})",
    ]


def _held(view: View) -> str:
    """The grades of further aspects that the plane is drawn for, unless they are the best."""
    best = {one.name: grades_upwards(one.scale)[-1] for one in view.aspects[2:]}
    held = {name: grade for name, grade in view.asked.held_grades.items() if grade != best[name]}
    return f", held={held!r}" if held else ""


def _order(view: View, before: str) -> list[str]:
    return [
        "from evalcore.measures.tuple_orders import pool_tuples",
        "",
        "place = n_classes - order.class_of(pool_tuples(c.assessments, toma.aspects))  # of each document, from 1",
        "distance, weight = order.distances[::-1], toma.weights.of(order)[::-1]",
        "documents = [int((place == one).sum()) for one in range(1, n_classes + 1)]",
        "closer = figures.class_weights(weight)",
    ]


def _partial(view: View, before: str) -> list[str]:
    distances = dict.fromkeys([*map(str, values_of(Distance).values()), str(view.measure.distance)])
    return [
        "from evalcore.explain.partial_order import open_pairs",
        "from evalcore.notation.values import parse_value",
        "",
        f"distances = {list(distances)!r}",
        "orders = {text: toma.with_(distance=parse_value(text)).order(c.assessments) for text in distances}",
        "pairs = open_pairs(c.assessments, orders)",
        "left_open, decided = pairs['open'] / pairs['pairs'].clip(1), pairs['decided'] / pairs['open'].clip(1)",
        *(["closer = figures.tuple_diagram(toma, c.assessments)"] if len(view.tuples) <= MOST_NODES else []),
    ]


def _systems(view: View, before: str) -> list[str]:
    doubt = ", doubt=doubt" if tables(*view.scores.values()) else ""
    means = f"{{**means, 'baseline': {before}}}" if before else "means"
    return [
        "both = ec.tau(means['CAM'], means['MM'])",
        "ranks = {name: ec.ranks(one) for name, one in means.items()}",
        *families.code(view.collection),
        f"closer = figures.bump({means}, styles{doubt})",
        *unassessed_code(view.measure, view.collection),
    ]


def _changed(view: View, before: str) -> list[str]:
    return [
        "from evalcore.measures.labels import distinct, pair_changes, share_better",
        "from evalcore.measures.tuple_orders import pool_tuples",
        "",
        f"before = ec.parse({str(reference(view))!r}).order(c.assessments)",
        f"tuples, documents = distinct(pool_tuples(c.assessments, toma.aspects), {view.shape!r})",
        "old, new = before.n_classes - before.class_of(tuples), n_classes - order.class_of(tuples)",
        "then, now = (100 * share_better(one, documents) for one in (old, new))",
        "moved = documents[abs(now - then) > 1e-10].sum()",
        "pairs = pair_changes(old, new)",
    ]
