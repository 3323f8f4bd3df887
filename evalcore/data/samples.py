"""The small collections that come with evalcore, beside the app: all that they hold is invented."""

from __future__ import annotations

from pathlib import Path

from evalcore.errors import InputError, shorten

_PACKAGE = Path(__file__).parents[1]
_FOLDERS = (_PACKAGE / "_app" / "sample_data", _PACKAGE.parent / "sample_data")  # installed, or in a checkout


def sample_folder(name: str) -> Path:
    """The folder of a sample, wherever a script runs: health, answers, board, diversity, manual or site.

    Raises InputError for another name.

    >>> sample_folder("health").name
    'health'
    """
    beside = next((folder for folder in _FOLDERS if folder.is_dir()), None)
    known = sorted(one.parent.name for one in beside.glob("*/collection.toml")) if beside else []
    if beside is None or name not in known:
        raise InputError(f"expected a sample ({', '.join(known) or 'none is installed'}), found {shorten(name)}")
    return beside / name
