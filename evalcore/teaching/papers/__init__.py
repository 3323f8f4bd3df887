"""What can be recomputed of the five documents: each table and figure, its published values beside ours."""

from functools import cache

from evalcore.errors import InputError, did_you_mean
from evalcore.subjects import modules, placed
from evalcore.teaching.papers.base import Exhibit
from evalcore.teaching.papers.maistro2021 import EXHIBITS as MAISTRO_2021
from evalcore.teaching.papers.palotti2018 import EXHIBITS as PALOTTI_2018
from evalcore.teaching.papers.zuccon2016 import EXHIBITS as ZUCCON_2016

__all__ = ["Exhibit", "exhibit_of", "exhibits"]


@cache
def exhibits() -> tuple[Exhibit, ...]:
    """All tables and figures, those of other subjects among them, in the order of the documents."""
    more = [(module.FOLLOWS, module.EXHIBITS) for module in modules("exhibits")]
    documents = placed([ZUCCON_2016, PALOTTI_2018, MAISTRO_2021], more, lambda those: those[0].document)
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
