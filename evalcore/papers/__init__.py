"""What can be recomputed of the five documents: each table and figure, its published values beside ours."""

from evalcore.papers.base import Exhibit
from evalcore.papers.inex2007 import EXHIBITS as INEX_2007
from evalcore.papers.maistro2021 import EXHIBITS as MAISTRO_2021
from evalcore.papers.navigation import EXHIBITS as NAVIGATION
from evalcore.papers.palotti2018 import EXHIBITS as PALOTTI_2018
from evalcore.papers.zuccon2016 import EXHIBITS as ZUCCON_2016

EXHIBITS: tuple[Exhibit, ...] = (*ZUCCON_2016, *PALOTTI_2018, *NAVIGATION, *MAISTRO_2021, *INEX_2007)

__all__ = ["EXHIBITS", "Exhibit"]
