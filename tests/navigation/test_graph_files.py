"""Edge lists, tables of components and runs of components: their contents, and errors for bad ones."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import evalcore as ec
from app_support import ROOT
from evalcore.data.assessments import read_qrels
from evalcore.data.build_pool import build_pool
from evalcore.data.kinds import kind_of
from evalcore.data.runs import read_rankings
from evalcore.data.sources import Source
from evalcore.errors import InputError
from evalcore.navigation.graph_files import build_navigation, read_component_runs, read_components, read_links
from evalcore.structures.documents import Assessments, Scale

SITE = ROOT / "sample_data" / "site"
TABLE = "id,document,offset,size,rsize,gain\na,d1,0,100,20,2\nb,d1,100,50,,\nc,d2,0,10,10,1\n"


def source(text: str, name: str = "links.csv") -> Source:
    return Source(name, lambda: text.encode())


@pytest.fixture
def pool() -> Assessments:
    qrels = "1 0 a 2\n1 0 c 1\n2 0 b 1\n"
    return build_pool([read_qrels(source(qrels, "qrels.txt"), Scale("relevance"))])


@pytest.mark.parametrize(
    "text",
    [
        "source,target,probability\na,b,0.4\nb,c,0.25\n",
        "a b 0.4\nb c 0.25\n",
        "# a site\na\tb\t0.4\n\nb\tc\t.25\n",
        "to;from;p\nb;a;0.4\nc;b;0.25",
        "\ufeffSource,Target,Weight\r\na,b,0.4\r\nb,c,0.25\r\n",
    ],
)
def test_edge_lists_in_many_forms_are_read(text):
    links = read_links(source(text))
    assert list(zip(links.source, links.target, links.probability, strict=True)) == [("a", "b", 0.4), ("b", "c", 0.25)]


def test_a_site_graph_has_no_probabilities():
    links = read_links(source("source,target\na,b\n\na,c\n"))
    assert np.isnan(links.probability).all()
    assert links.line.tolist() == [2, 4]
    assert np.isnan(read_links(source("source,target,probability\na,b,\n")).probability).all()


def test_bad_edge_lists_name_file_and_line(subtests):
    for text, problem in [
        ("a b 0.4\nb c 1.5\n", "links.csv line 2: expected a probability from 0 to 1, found 1.5"),
        ("a b nan\n", "links.csv line 1: expected a number as probability, found 'nan'"),
        ("a b\nb b\n", "links.csv line 2: expected a link between two components, found 'b' linked to itself"),
        ("a b\nb c\na b\n", "links.csv line 3: expected each link once, found 'a' to 'b' again, as in line 1"),
        ("a b 0.4\nb c\n", r"links.csv line 2: expected 3 fields \(source, target, probability\), found 2"),
        ("source,target\na,b,c\n", r"links.csv line 2: expected 2 fields \(source, target\), found 3"),
        ("source,target\na,\n", "links.csv line 2: expected the id of a target, found none"),
        ("source,probability\na,1\n", "links.csv: expected a column 'target', found source, probability"),
        ("source,target\n", "links.csv: expected links, found none"),
        ("", "links.csv: expected an edge list, found an empty file"),
    ]:
        with subtests.test(f"{text}, {problem}"), pytest.raises(InputError, match=problem):
            read_links(source(text))


def test_a_table_of_components_is_read():
    table = read_components(source(TABLE, "components.csv"))
    assert table.ids.tolist() == ["a", "b", "c"]
    assert table.document.tolist() == ["d1", "d1", "d2"]
    assert table.size.tolist() == [100, 50, 10]
    assert table.rsize.tolist() == pytest.approx([20, np.nan, 10], nan_ok=True)
    assert np.isnan(table.effort).all()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("id,effort\na,1\nb,-2\n", "components.csv line 3: expected effort of at least 0, found -2"),
        ("id,size\na,big\n", "components.csv line 2: expected a number as size, found 'big'"),
        ("id,size,rsize\na,10,11\n", "components.csv line 2: expected rsize of at most size 10, found 11"),
        ("id,size\na,10\na,10\n", "components.csv line 3: expected each component once, found 'a' again"),
        ("id,topic\na,1\na,1\n", "components.csv line 3: expected each component once for topic '1', found 'a' again"),
        ("id,topic,size\na,1,5\na,2,6\n", "components.csv line 3: expected one size for 'a', found 6.0 after 5.0"),
        ("name,size\na,5\n", "components.csv: expected a column id, found name, size"),
        ("id,size\n,5\n", "components.csv line 2: expected an id, found none"),
    ],
)
def test_bad_tables_of_components_name_file_and_line(text, problem):
    with pytest.raises(InputError, match=problem):
        read_components(source(text, "components.csv"))


RUN = "1 Q0 b 1 9.5 s\n1 Q0 x 2 9.0 s\n1 Q0 a 3 8.0 s\n1 Q0 b 4 7.0 s\n2 Q0 c 1 3.0 s\n7 Q0 a 1 1.0 s\n"


@pytest.mark.parametrize("order", ["score", "rank", "file"])
def test_runs_of_components_are_ordered_as_rankings_are(pool, order):
    """If the pool contains all documents, both readings agree on ties, systems and repeated components."""
    random = np.random.default_rng(1)
    names = [f"c{at}" for at in range(30)]
    qrels = "".join(f"{topic} 0 {name} 1\n" for topic in (1, 2) for name in names)
    everything = build_pool([read_qrels(source(qrels, "qrels.txt"), Scale("relevance"))])
    text = "".join(
        f"{topic} Q0 {name} {rank} {random.integers(0, 5)} s\n"
        for topic in (1, 2)
        for rank, name in enumerate(random.choice(names, 20), start=1)
    )
    sources = [source(text, f"runs/{name}.run") for name in ("s10", "s2")]
    rankings, _, _ = read_rankings(sources, everything, order)
    runs = read_component_runs(sources, everything.topics, np.array(names, dtype=object), order)
    assert runs.systems == rankings.systems == ("s2", "s10")
    for line, (system, topic) in enumerate((s, t) for s in range(2) for t in range(2)):
        hits = slice(rankings.indptr[line], rankings.indptr[line + 1])
        ranking = runs.ranking(system, topic)
        found = [names[ranking[rank - 1]] for rank in rankings.rank[hits]]
        assert found == everything.documents[rankings.row[hits]].tolist()
        assert len(ranking) == rankings.length[system, topic]
        assert (ranking >= 0).sum() == len(found)


def test_a_collection_with_all_files_about_links_is_read(pool):
    links = read_links(source("a b 0.4\nb c 0.2\n"))
    navigation, notes = build_navigation(
        pool, [source(RUN, "s.run")], "score", links, read_components(source(TABLE, "components.csv"))
    )
    assert navigation.components.ids.tolist() == ["a", "b", "c"]
    assert navigation.components.document.tolist() == [0, 0, 1]
    assert navigation.links.source.tolist() == [0, 1]
    assert navigation.pool.tolist() == [0, 2, 1]
    assert navigation.worths.topic.tolist() == [0, 0, 1, 1]
    assert navigation.worths.component.tolist() == [0, 2, 0, 2]
    assert notes == []


def test_gains_of_components_may_differ_by_topic(pool):
    text = "id,topic,size,rsize,colour\na,1,10,5,red\na,2,10,0,red\nb,9,4,4,blue\nc,,8,2,\n"
    navigation, notes = build_navigation(pool, [source(RUN, "s.run")], table=read_components(source(text, "c.csv")))
    assert navigation.worths.topic.tolist() == [0, 1, 0, 1]
    assert navigation.worths.component.tolist() == [0, 0, 2, 2]
    assert navigation.worths.rsize.tolist() == [5, 0, 2, 2]
    assert [note.text for note in notes] == [
        "unused columns: colour",
        "1 row of topics that nobody assessed",
    ]


def test_components_may_be_named_only_in_links(pool):
    navigation, notes = build_navigation(pool, [source(RUN, "s.run")], links=read_links(source("hub a\nhub c\n")))
    assert navigation.components.ids.tolist() == ["hub", "a", "c", "b"]
    assert not navigation.has_places
    assert notes == []


def test_links_of_components_that_nobody_retrieved_are_noted(pool):
    _, notes = build_navigation(pool, [source(RUN, "s.run")], links=read_links(source("p q\n")))
    assert "no system returned a component with a link" in notes[0].text


def test_links_to_unknown_components_are_refused_with_file_and_line(pool):
    table = read_components(source(TABLE, "components.csv"))
    links = read_links(source("a b\nb nowhere\n"))
    with pytest.raises(
        InputError, match=r"links.csv line 2: expected a component of components.csv as target, found 'nowhere'"
    ):
        build_navigation(pool, [source(RUN, "s.run")], "score", links, table)


FILES = {
    "qrels.txt": "1 0 a 2\n1 0 c 1\n2 0 b 1\n",
    "runs/s.run": RUN,
    "links.csv": "source,target,probability\na,b,0.4\nb,c,0.25\n",
    "components.csv": TABLE,
}
DECLARED = '[aspects.relevance]\nfile = "qrels.txt"\n[navigation]\nlinks = "links.csv"\ncomponents = "components.csv"\n'


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "runs").mkdir()
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def test_a_collection_with_links_is_inferred_or_declared(folder):
    inferred = ec.load(folder, use_cache=False)
    assert any(note.text == "read as links from a result to other pages" for note in inferred.report.notes)
    (folder / "collection.toml").write_text(DECLARED)
    declared = ec.load(folder, use_cache=False)
    assert '[navigation]\nlinks = "links.csv"\ncomponents = "components.csv"\n' in declared.manifest
    for collection in (inferred, declared):
        assert collection.navigation
        assert collection.navigation.links.where.endswith("links.csv")
        assert ec.evaluate("ep(level=1)", collection)["s"]["1"] > 0
    plain = ec.load(folder, manifest=DECLARED.split("[navigation]")[0], use_cache=False)
    assert plain.navigation is None


def test_a_collection_within_one_with_links_scores_the_same():
    collection = ec.load(SITE)
    measure = "MAep(navigation=Both([Walk(stop=0.3), ReadOn]), gain=Specificity)"
    whole = ec.evaluate(measure, collection)
    some = ec.restrict(collection, collection.systems[3:6], collection.topics[1:9:2])
    found = ec.evaluate(measure, some)
    pd.testing.assert_frame_equal(found, whole.loc[found.index, found.columns])


@pytest.mark.parametrize(
    ("manifest", "problem"),
    [
        ("[navigation]\n", r"\[navigation\]: expected the key links or components, found neither"),
        ('[navigation]\nedges = "x"\n', r"\[navigation\]: expected only the keys links, components, found 'edges'"),
    ],
)
def test_invalid_links_in_a_manifest_are_refused(folder, manifest, problem):
    with pytest.raises(InputError, match=problem):
        ec.load(folder, manifest='[aspects.relevance]\nfile = "qrels.txt"\n' + manifest, use_cache=False)


def test_two_edge_lists_are_refused(folder):
    (folder / "edges.csv").write_text("a,c\n")
    with pytest.raises(InputError, match=r"expected one file for the links, found edges.csv, links.csv; write a"):
        ec.load(folder, use_cache=False)


def test_a_file_called_links_is_read_as_links_rather_than_as_signals() -> None:
    assert kind_of(Source("links.csv", lambda: b"docid,fog,smog\nd1,9,8\n")).name == "links"
