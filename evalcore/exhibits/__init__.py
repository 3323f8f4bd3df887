"""What can be recomputed of the five documents: each table and figure, its published values beside ours."""

from evalcore.exhibits.base import Exhibit
from evalcore.exhibits.inex2007 import EXHIBITS as INEX_2007
from evalcore.exhibits.maistro2021 import EXHIBITS as MAISTRO_2021
from evalcore.exhibits.navigation import EXHIBITS as NAVIGATION
from evalcore.exhibits.palotti2018 import EXHIBITS as PALOTTI_2018
from evalcore.exhibits.zuccon2016 import EXHIBITS as ZUCCON_2016

EXHIBITS: tuple[Exhibit, ...] = (*ZUCCON_2016, *PALOTTI_2018, *NAVIGATION, *MAISTRO_2021, *INEX_2007)

__all__ = ["EXHIBITS", "Exhibit"]
