"""Would the ranking stand with other labels? Another judge's, noisier ones, or a pool without what somebody brought."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from evalcore.data import Collection
from ui.data import open_collection
from ui.labels import agreement, combined, noise, pool, ranking
from ui.labels.controls import AGREEMENT, COMBINED, NOISE, POOL, RANKING, LabelsLook

LOOKS: Mapping[str, Callable[[Collection], None]] = {
    AGREEMENT: agreement.draw,
    RANKING: ranking.draw,
    COMBINED: combined.draw,
    NOISE: noise.draw,
    POOL: pool.draw,
}
LACKS = {
    RANKING: ranking.what_is_missing,
    COMBINED: ranking.what_is_missing,
    NOISE: noise.what_is_missing,
    POOL: pool.what_is_missing,
}


def main() -> None:
    collection = open_collection.titled("labels")
    page = LabelsLook.now(collection)
    page.draw("look")
    lack = LACKS[page.look](collection) if page.look in LACKS else ""
    LOOKS[page.look](open_collection.instead(lack) if lack else collection)
