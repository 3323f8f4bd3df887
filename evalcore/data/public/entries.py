"""Entries of public collections, each in a TOML file beside this module."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import PurePosixPath
from typing import Any

from evalcore.common.short_forms import shown
from evalcore.data.manifest import Manifest, manifest_of
from evalcore.data.toml_text import read_toml
from evalcore.errors import InputError, did_you_mean


@shown
@dataclass(frozen=True)
class PublicCollection:
    """A public collection: its GitHub repository, and the meaning of its files."""

    name: str
    repository: str  # owner/name
    licence: str
    paper: str
    manifest: Manifest

    @property
    def address(self) -> str:
        return f"https://github.com/{self.repository}"

    @property
    def title(self) -> str:
        return self.manifest.title

    @property
    def aspects(self) -> tuple[str, ...]:
        return tuple(column.scale.name for column in self.manifest.columns)


@cache
def public_collections() -> Mapping[str, PublicCollection]:
    """Return a dict from name to collection, for all collections that `fetch` knows.

    >>> public_collections()["clef2015"].aspects
    ('relevance', 'understandability')
    """
    files = (file for file in resources.files(__package__).iterdir() if file.name.endswith(".toml"))
    entries = (_entry(PurePosixPath(file.name).stem, file.read_text("utf-8")) for file in files)
    return {entry.name: entry for entry in sorted(entries, key=lambda entry: entry.name)}


def public_collection(name: str) -> PublicCollection:
    """Return the collection of that name.

    Raises InputError that lists the known names if the name is not one of them.
    """
    known = public_collections()
    if name not in known:
        listed = ", ".join(known)
        raise InputError(f"expected one of the public collections {listed}, found {name!r}{did_you_mean(name, known)}")
    return known[name]


def _entry(name: str, text: str) -> PublicCollection:
    content: dict[str, Any] = read_toml(text, f"{name}.toml")
    public = content.pop("public")
    return PublicCollection(name=name, **public, manifest=manifest_of(content, f"{name}.toml"))
