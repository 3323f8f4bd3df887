"""What can be recomputed of the five documents: each table and figure, its published values beside ours."""

from functools import cache

from evalcore.errors import InputError, did_you_mean
from evalcore.subjects import modules, placed
from evalcore.teaching.papers.base import Exhibit

__all__ = ["Exhibit", "exhibit_of", "exhibits"]


@cache
def exhibits() -> tuple[Exhibit, ...]:
    """All tables and figures, those of other subjects among them, in the order of the documents."""
    from evalcore.teaching.papers import maistro2021, palotti2018, zuccon2016  # they import `base`, and so this module

    own = [zuccon2016.EXHIBITS, palotti2018.EXHIBITS, maistro2021.EXHIBITS]
    more = [(module.FOLLOWS, module.EXHIBITS) for module in modules("exhibits")]
    documents = placed(own, more, lambda those: those[0].document)
    return tuple(exhibit for those in documents for exhibit in those)


def exhibit_of(key: str) -> Exhibit:
    """The table or figure of a key. Raises InputError where none has it.

    >>> exhibit_of("zuccon-3").document
    'Zuccon 2016'
    """
    known = {exhibit.key: exhibit for exhibit in exhibits()}
    if key not in known:
        raise InputError(f"expected the key of an exhibit{did_you_mean(key, known)}, found {key!r}")
    return known[key]
