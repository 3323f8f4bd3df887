"""Packages imported on first use, so that a command loads only packages that it needs.

    from evalcore.common.lazy_imports import pd

`pd` then works as pandas, also for type checkers. Pandas alone takes half a second and 80 MB; scoring a TREC run
does not need it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any


def names_from(modules: Mapping[str, str], space: dict[str, Any]) -> Callable[[str], object]:
    """Return a `__getattr__` for a package that imports a name on first use.

    `modules` maps each module to the names to import from it, separated by spaces; `space` are the package's globals.
    """
    module_of = {name: module for module, names in modules.items() for name in names.split()}

    def get(name: str) -> object:
        if name not in module_of:
            raise AttributeError(f"module {space['__name__']!r} has no attribute {name!r}")
        value = space[name] = getattr(import_module(module_of[name]), name)
        return value

    return get


if TYPE_CHECKING:
    import difflib
    import doctest
    import lzma
    import tempfile
    import tomllib
    import zipfile

    import numpy as np
    import pandas as pd
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyarrow import csv as arrow_csv
    from pyarrow import parquet
    from scipy import sparse, special
    from scipy.sparse import csgraph
    from scipy.sparse.linalg import splu
else:

    class _Later(ModuleType):
        """A module that is imported on first use."""

        _whole: ModuleType | None = None

        def __getattr__(self, name: str) -> Any:
            module = self._whole
            if module is None:
                module = import_module(self.__name__)
                self._whole = module
            return getattr(module, name)

    difflib, doctest, lzma = map(_Later, ("difflib", "doctest", "lzma"))
    tempfile, tomllib, zipfile = map(_Later, ("tempfile", "tomllib", "zipfile"))
    np, pd, pa, pc = map(_Later, ("numpy", "pandas", "pyarrow", "pyarrow.compute"))
    arrow_csv, parquet = map(_Later, ("pyarrow.csv", "pyarrow.parquet"))
    sparse, csgraph, special = map(_Later, ("scipy.sparse", "scipy.sparse.csgraph", "scipy.special"))

    def splu(*given: Any, **named: Any) -> Any:
        """Import scipy.sparse.linalg.splu, call it, and return its result."""
        return import_module("scipy.sparse.linalg").splu(*given, **named)
