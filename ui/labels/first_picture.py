"""Figure on Home for collections of labels without systems: how far two judges agree."""

from __future__ import annotations

from collections.abc import Iterator

from evalcore import figures
from evalcore.common.rounding import percent
from evalcore.data import Collection
from evalcore.labels.judges import source_agreement
from ui.labels import texts
from ui.screen.items import Figure, Headline, Item


def fits(collection: Collection) -> bool:
    """Return True if there are only labels, and several sources labelled the same aspect."""
    return collection.has == {"labels"} and bool(judged_twice(collection))


def judged_twice(collection: Collection) -> str:
    """Return the first aspect that several sources labelled; "" if there is none."""
    several = collection.assessments.sources.items()
    return next((name for name, sources in several if len(sources.labels) > 1), "")


def draw(collection: Collection) -> Iterator[Item]:
    """Yield the agreement of the first two sources, and the matrix of their labels."""
    agreement = source_agreement(collection, (), judged_twice(collection))
    first, second = agreement.sources
    same, kappa = agreement.coefficient("agreement").estimate, agreement.coefficient("kappa").estimate
    share = percent(agreement.n_documents / agreement.labelled) if agreement.labelled else "none"
    yield Headline(texts.on_home(first, second, same, agreement.n_documents, kappa, share))
    order = [*agreement.grades[::-1]]
    figure = figures.confusion_matrix(agreement.confusion().loc[order, order], [*agreement.names[::-1]])
    yield Figure(figure, "home judges", texts.matrix_on_home(first, second))
