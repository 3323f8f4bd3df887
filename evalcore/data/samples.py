"""The small sample collections of evalcore, all invented."""

from __future__ import annotations

from pathlib import Path

from evalcore.errors import InputError, shorten

PACKAGE = Path(__file__).parents[1]
# In the wheel, the app is part of the package; in a checkout, it is beside the package.
APP = next((place for place in (PACKAGE / "_app", PACKAGE.parent) if (place / "app.py").is_file()), None)


def sample_folder(name: str) -> Path:
    """Return the folder of a sample collection: health, answers, board, diversity, manual or site.

    The path does not depend on the folder in which a script runs. Raises InputError for any other name.

    >>> sample_folder("health").name
    'health'
    """
    beside = APP and APP / "sample_data"
    known = sorted(path.parent.name for path in beside.glob("*/collection.toml")) if beside else []
    if beside is None or name not in known:
        raise InputError(f"expected a sample ({', '.join(known) or 'none is installed'}), found {shorten(name)}")
    return beside / name
