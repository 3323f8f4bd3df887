"""The page Labels: agreement of judges, rankings by another judge, few labels, wrong labels, pools, grades."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from evalcore.data import Collection
from ui.data import open_collection
from ui.labels import agreement, few_human_labels, grades_and_depth, pool, ranking
from ui.labels.source_settings import AGREEMENT, COMBINED, GRADES, POOL, RANKING, LabelsLook

LOOKS: Mapping[str, Callable[[Collection], None]] = {
    AGREEMENT: agreement.draw,
    RANKING: ranking.draw,
    COMBINED: few_human_labels.draw,
    POOL: pool.draw,
    GRADES: grades_and_depth.draw,
}
LACKS = {
    AGREEMENT: agreement.what_is_missing,
    RANKING: ranking.what_is_missing,
    COMBINED: ranking.what_is_missing,
    POOL: pool.what_is_missing,
}


def main() -> None:
    collection = open_collection.titled("labels")
    page = LabelsLook.now(collection)
    page.draw("look")
    lack = LACKS[page.look](collection) if page.look in LACKS else ""
    LOOKS[page.look](open_collection.instead(lack) if lack else collection)
