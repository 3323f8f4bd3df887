"""What can be recomputed of the five documents: each table and figure, its published values beside ours."""

from evalcore.errors import InputError, did_you_mean
from evalcore.subjects import modules, placed
from evalcore.teaching.papers.base import Exhibit
from evalcore.teaching.papers.maistro2021 import EXHIBITS as MAISTRO_2021
from evalcore.teaching.papers.palotti2018 import EXHIBITS as PALOTTI_2018
from evalcore.teaching.papers.zuccon2016 import EXHIBITS as ZUCCON_2016

_OF_SUBJECTS = [(module.FOLLOWS, module.EXHIBITS) for module in modules("exhibits")]
_DOCUMENTS = placed([ZUCCON_2016, PALOTTI_2018, MAISTRO_2021], _OF_SUBJECTS, lambda exhibits: exhibits[0].document)
EXHIBITS: tuple[Exhibit, ...] = tuple(exhibit for exhibits in _DOCUMENTS for exhibit in exhibits)

__all__ = ["EXHIBITS", "Exhibit", "exhibit_of"]


def exhibit_of(key: str) -> Exhibit:
    """The table or figure of a key. Raises InputError where none has it.

    >>> exhibit_of("zuccon-3").document
    'Zuccon 2016'
    """
    exhibits = {exhibit.key: exhibit for exhibit in EXHIBITS}
    if key not in exhibits:
        raise InputError(f"expected the key of an exhibit{did_you_mean(key, exhibits)}, found {key!r}")
    return exhibits[key]
