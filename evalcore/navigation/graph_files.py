"""Read edge lists, tables of components (position, length, gain) and runs into a `Navigation`."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from evalcore.common.arrays import FloatArray, IntArray
from evalcore.common.constants import Order
from evalcore.common.lazy_imports import pd
from evalcore.data import tables
from evalcore.data.parquet import MAGIC
from evalcore.data.pool_index import PoolIndex
from evalcore.data.runs import read_run
from evalcore.data.sources import Source
from evalcore.data.tables import is_empty, numbers_or_gaps, refuse_rows
from evalcore.data.text_files import text_of
from evalcore.errors import InputError, counted, shorten
from evalcore.limits import refuse_more
from evalcore.navigation.links import ComponentRuns, Components, Links, Navigation, Worths
from evalcore.structures.documents import Assessments, Note, natural_key

ID_COLUMNS = ("id", "component", "component_id", "element", "passage")
NUMBERS = ("offset", "size", "rsize", "gain", "effort")


@dataclass(frozen=True, eq=False)
class ComponentTable:
    """A table of components: document, offset, size and effort for each component; rsize and gain for each row."""

    name: str
    ids: NDArray[np.object_]  # ids of the components, each once
    document: NDArray[np.object_]  # "" if not given
    offset: FloatArray
    size: FloatArray
    effort: FloatArray
    topics: NDArray[np.object_]  # topic of each row; "" means every topic
    row: IntArray  # component of each row
    rsize: FloatArray
    gain: FloatArray
    unused: tuple[str, ...]  # unused columns


def read_components(source: Source) -> ComponentTable:
    """Read a table with a column id and any of document, offset, size, rsize, gain, effort, topic.

    With a topic, rsize and gain apply to that topic only, and a component has a row for each topic; an empty topic
    means all topics. Raises InputError for a negative number, an rsize above the size, a row given twice, or rows of
    one component that contradict each other.
    """
    table = tables.read_table(source)
    name = next((column for column in table.columns if str(column).lower() in ID_COLUMNS), None)
    if name is None:
        raise InputError(f"expected a column id, found {', '.join(map(str, table.columns))}", source.name)
    table = table.rename(columns={name: "id"})
    ids = _texts(table, "id", source.name)
    topics = _texts(table, "topic", source.name)
    numbers = {column: _positive(table, column, source) for column in NUMBERS}
    _refuse_larger(numbers["rsize"], numbers["size"], table.index, source.name)
    _refuse_repeats(ids, topics, source.name)
    first, row = _first_rows(ids)
    fixed = {column: numbers[column][first] for column in ("offset", "size", "effort")}
    documents = _texts(table, "document", source.name)
    _refuse_contradiction("document", documents.to_numpy(), first, row, ids, source.name)
    for column in fixed:
        _refuse_contradiction(column, numbers[column], first, row, ids, source.name)
    known = {"id", "topic", "document", *NUMBERS}
    return ComponentTable(
        source.name,
        ids.to_numpy(dtype=object)[first],
        documents.to_numpy(dtype=object)[first],
        fixed["offset"],
        fixed["size"],
        fixed["effort"],
        topics.to_numpy(dtype=object),
        row,
        numbers["rsize"],
        numbers["gain"],
        tuple(str(column) for column in table.columns if column not in known),
    )


def _texts(table: pd.DataFrame, column: str, name: str) -> pd.Series[str]:
    """Return a column as text, "" if missing. Raises InputError for an empty id."""
    if column not in table.columns:
        return pd.Series("", index=table.index, dtype=object)
    texts = table[column].fillna("").astype(str).astype(object)
    if column == "id":
        refuse_rows(texts == "", table.index, name, "expected an id, found none")
    return texts


def _positive(table: pd.DataFrame, column: str, source: Source) -> FloatArray:
    values = tables.numbers_or_gaps(table, column, source, "a number")
    least = "expected {} of at least 0, found {:g}"
    refuse_rows(values < 0, table.index, source.name, lambda row: least.format(column, values[row]))
    return values


def _refuse_larger(rsize: FloatArray, size: FloatArray, lines: pd.Index, name: str) -> None:
    found = "expected rsize of at most size {:g}, found {:g}"
    refuse_rows(rsize > size, lines, name, lambda row: found.format(size[row], rsize[row]))


def _refuse_repeats(ids: pd.Series[str], topics: pd.Series[str], name: str) -> None:
    def again(row: int) -> str:
        where = f" for topic {topics.iloc[row]!r}" if topics.iloc[row] else ""
        return f"expected each component once{where}, found {ids.iloc[row]!r} again"

    refuse_rows(pd.MultiIndex.from_arrays([topics, ids]).duplicated(), ids.index, name, again)


def _first_rows(ids: pd.Series[str]) -> tuple[IntArray, IntArray]:
    """Return the index of each component's first row, ascending, and, for each row, the index of its component."""
    row, _ = pd.factorize(ids)
    return np.flatnonzero(~ids.duplicated().to_numpy()), row


def _refuse_contradiction(
    column: str, values: NDArray[Any], first: IntArray, row: IntArray, ids: pd.Series[str], name: str
) -> None:
    stated = values[first][row]
    same = (values == stated) | ((values != values) & (stated != stated))
    found = "expected one {} for {!r}, found {} after {}"
    refuse_rows(~same, ids.index, name, lambda row: found.format(column, ids.iloc[row], values[row], stated[row]))


LINK_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "source": ("source", "from", "src"),
    "target": ("target", "to", "dst", "destination"),
    "probability": ("probability", "p", "prob", "weight"),
}
LINK_FILES = ("links", "edges", "graph", "edge_list", "site_graph")
COMPONENT_FILES = ("components", "sections")


@dataclass(frozen=True, eq=False)
class EdgeList:
    """Links by the ids of components, as a file lists them."""

    name: str
    source: NDArray[np.object_]
    target: NDArray[np.object_]
    probability: FloatArray
    line: IntArray

    def __len__(self) -> int:
        return len(self.source)


def graph_kind(name: str, head: bytes) -> Literal["links", "components"] | None:
    """Return the kind of a file, "links" or "components"; None if it is neither.

    The kind follows from the header (links have a source and a target) or the file's name (links.txt, components.csv).

    >>> graph_kind("web.csv", b"from,to\\na,b\\n"), graph_kind("a/components.tsv", b"id\\tsize\\n")
    ('links', 'components')
    """
    first = head.lstrip(b"\xef\xbb\xbf \r\n").split(b"\n", 1)[0].decode(errors="replace")
    columns, stem = _meanings(_cells(first)), PurePosixPath(name.lower()).name.split(".")[0]
    if {"source", "target"} <= set(columns) or (stem in LINK_FILES and len(columns) in (2, 3)):
        return "links"
    has_id = any(column.lower() in ID_COLUMNS for column in columns)
    return "components" if has_id and (stem in COMPONENT_FILES) else None


def read_links(source: Source) -> EdgeList:
    """Read an edge list or site graph: source, target and, if known, the probability of following the link.

    Fields are separated by commas, semicolons, tabs or spaces, with an optional header; lines that begin with # are
    skipped. Raises InputError for a wrong number of fields, a probability outside [0, 1], a component that links to
    itself, or a link listed twice.
    """
    table = _link_table(source)
    links = EdgeList(
        source.name,
        table["source"].to_numpy(dtype=object),
        table["target"].to_numpy(dtype=object),
        _probabilities(table, source),
        table.index.to_numpy(dtype=np.int64),
    )
    loop = "expected a link between two components, found {!r} linked to itself"
    refuse_rows(links.source == links.target, table.index, links.name, lambda row: loop.format(links.source[row]))
    pairs = table.set_index(["source", "target"]).index

    def again(row: int) -> str:
        first = links.line[np.flatnonzero(pairs == pairs[row])[0]]
        found = f"{links.source[row]!r} to {links.target[row]!r} again, as in line {first}"
        return f"expected each link once, found {found}"

    refuse_rows(pairs.duplicated(), table.index, links.name, again)
    return links


def _link_table(source: Source) -> pd.DataFrame:
    content = source.read()
    if content[:4] == MAGIC:
        table = tables.read_table(source)
        return _link_columns(table.set_axis(_meanings(list(map(str, table.columns))), axis=1), source)
    text = text_of(content, source.name, "an edge list").decode()
    lines = [(at, line) for at, line in enumerate(text.splitlines(), start=1) if line.strip() and line[0] != "#"]
    if not lines:
        raise InputError("expected links, found none", source.name)
    rows, header = [(at, _cells(line)) for at, line in lines], _meanings(_cells(lines[0][1]))
    if "source" in header:
        rows = rows[1:]
    else:
        header = ["source", "target", "probability"][: max(min(len(rows[0][1]), 3), 2)]
    if not rows:
        raise InputError("expected links, found none", source.name)
    for at, cells in rows:
        if len(cells) != len(header):
            problem = f"expected {len(header)} fields ({', '.join(header)}), found {len(cells)}"
            raise InputError(problem, source.name, at)
    table = pd.DataFrame([cells for _, cells in rows], columns=header, index=[at for at, _ in rows], dtype=object)
    return _link_columns(table, source)


def _link_columns(table: pd.DataFrame, source: Source) -> pd.DataFrame:
    tables.need(list(table.columns), ("source", "target"), source)
    table = table if "probability" in table.columns else table.assign(probability="")
    for column in ("source", "target"):
        refuse_rows(is_empty(table[column]), table.index, source.name, f"expected the id of a {column}, found none")
    return table.assign(source=table["source"].astype(str), target=table["target"].astype(str))


def _probabilities(table: pd.DataFrame, source: Source) -> FloatArray:
    """Return probabilities, NaN for an empty cell. Raises InputError for a number outside [0, 1]."""
    values = numbers_or_gaps(table, "probability", source, "a number")
    found = "expected a probability from 0 to 1, found {:g}"
    refuse_rows((values < 0) | (values > 1), table.index, source.name, lambda row: found.format(values[row]))
    return values


def _cells(line: str) -> list[str]:
    separator = next((mark for mark in ("\t", ",", ";") if mark in line), None)
    if separator and '"' in line:
        with suppress(csv.Error):
            return [cell.strip() for cell in next(csv.reader([line.strip()], delimiter=separator), [])]
    return [cell.strip().strip('"') for cell in line.strip().split(separator)]


def _meanings(names: Sequence[str]) -> list[str]:
    known = {name: meaning for meaning, others in LINK_COLUMNS.items() for name in others}
    return [known.get(name.strip().lower(), name.strip()) for name in names]


def build_navigation(
    pool: Assessments,
    runs: Sequence[Source],
    order: Order = "score",
    links: EdgeList | None = None,
    table: ComponentTable | None = None,
) -> tuple[Navigation, list[Note]]:
    """Build the navigation data from the pool, the runs, links and components; return the data and a list of notes.

    Components come from the table, the links and the pool; any other retrieved component only takes up a rank.
    Raises InputError for a link to or from a component that the table lacks.
    """
    if links is not None and table is not None:
        _refuse_dangling(links, table)
    parts = [table.ids] if table else []
    parts += [links.source, links.target] if links else []
    ids = pd.unique(np.concatenate([*parts, pool.documents]))
    code = pd.Index(ids, dtype=object)
    navigation = Navigation(
        components=_components(ids, table),
        links=_coded(links, code),
        runs=read_component_runs(runs, pool.topics, ids, order),
        pool=code.get_indexer(pd.Index(pool.documents, dtype=object)),
        worths=_worths(table, pool.topics),
    )
    return navigation, list(_notes(navigation, pool, links, table))


def _refuse_dangling(links: EdgeList, table: ComponentTable) -> None:
    known = pd.Index(table.ids, dtype=object)
    for end, ids in (("source", links.source), ("target", links.target)):
        dangling = np.flatnonzero(~pd.Index(ids, dtype=object).isin(known))
        if len(dangling):
            problem = f"expected a component of {table.name} as {end}, found {shorten(str(ids[dangling[0]]))}"
            raise InputError(problem, links.name, int(links.line[dangling[0]]))


def _components(ids: NDArray[np.object_], table: ComponentTable | None) -> Components:
    """Return all components, beginning with those of the table."""
    plain = Components.plain(ids)
    if table is None:
        return plain
    count, rest = len(table.ids), len(ids) - len(table.ids)
    codes, names = pd.factorize(table.document)
    codes[codes == pd.Index(names).get_indexer(pd.Index([""]))[0]] = -1
    return replace(
        plain,
        document=np.append(codes, np.full(rest, -1)),
        **{key: np.append(getattr(table, key)[:count], np.full(rest, np.nan)) for key in ("offset", "size", "effort")},
    )


def _coded(links: EdgeList | None, code: pd.Index) -> Links:
    if links is None:
        return Links.none()
    source, target = (code.get_indexer(pd.Index(ids, dtype=object)) for ids in (links.source, links.target))
    return Links(source, target, links.probability, links.line, links.name)


def _worths(table: ComponentTable | None, topics: Sequence[str]) -> Worths:
    if table is None:
        return Worths.none()
    known = np.flatnonzero(~(np.isnan(table.rsize) & np.isnan(table.gain)))
    everywhere = known[table.topics[known] == ""]
    code = pd.Index(list(topics), dtype=object).get_indexer(pd.Index(table.topics[known], dtype=object))
    refuse_more("components", len(everywhere), len(topics), where=table.name)
    topic = np.append(code[code >= 0], np.repeat(np.arange(len(topics)), len(everywhere)))
    rows = np.append(known[code >= 0], np.tile(everywhere, len(topics)))
    return Worths(topic, table.row[rows], table.rsize[rows], table.gain[rows])


def read_component_runs(
    runs: Sequence[Source], topics: Sequence[str], ids: NDArray[np.object_], order: Order = "score"
) -> ComponentRuns:
    """Read TREC runs of components in the order of `read_run`; -1 stands for a component repeated or not in `ids`."""
    count = len(ids)
    refuse_more("components", count, len(topics), where="[navigation]")
    pairs = Assessments(
        tuple(topics), np.repeat(np.arange(len(topics)), count), np.tile(ids, len(topics)), columns={}, scales={}
    )
    index = PoolIndex.of(pairs)
    sources = sorted(runs, key=lambda source: natural_key(source.stem))
    rankings = [list(_rankings(source, index, order, count)) for source in sources]
    lists = [ranking for system in rankings for ranking in system]
    return ComponentRuns(
        systems=tuple(source.stem for source in sources),
        n_topics=len(topics),
        indptr=np.cumsum([0, *map(len, lists)]),
        component=np.concatenate([np.zeros(0, dtype=np.int64), *lists]).astype(np.int32),
    )


def _rankings(source: Source, index: PoolIndex, order: Order, count: int) -> Iterator[IntArray]:
    run = read_run(source, index, order)
    for topic, length in enumerate(run.length.tolist()):
        hits = run.topic == topic
        listed = np.full(max(length, int(run.rank[hits].max(initial=0))), -1)
        listed[run.rank[hits] - 1] = run.row[hits] % count
        yield listed


def _notes(
    navigation: Navigation, pool: Assessments, links: EdgeList | None, table: ComponentTable | None
) -> Iterator[Note]:
    if table and table.unused:
        yield Note("dropped", table.name, f"unused columns: {', '.join(table.unused)}")
    if table:
        other = ~pd.Index(table.topics, dtype=object).isin(["", *pool.topics])
        if other.any():
            yield Note("dropped", table.name, f"{counted(int(other.sum()), 'row')} of topics that nobody assessed")
    if links:
        linked = np.union1d(navigation.links.source, navigation.links.target)
        if not np.isin(navigation.runs.component, linked).any():
            text = "no system returned a component with a link: do the ids in links and runs match?"
            yield Note("warning", links.name, text)
