"""Piwowarski et al. (2007): section 6.1's three documents."""

from __future__ import annotations

from evalcore.exhibits.base import Exhibit

EXHIBITS: tuple[Exhibit, ...] = ()
