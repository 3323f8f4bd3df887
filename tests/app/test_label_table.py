"""The table of the meanings of labels: how it marks a guess, what it writes into the description, when the app asks."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import evalcore as ec
from app_support import SAMPLE, go_to, open_app, press
from evalcore.data.manifest import Column, Manifest, parse_manifest, write_manifest
from evalcore.structures.documents import Scale
from ui.address import families
from ui.collection.label_table import A_RUN, JOINED, LEFT_OUT, RUNS, SOURCE_OF, guessed, rows, with_labels

UNDECLARED = Manifest(columns=(Column(Scale("ease"), "ease.txt"),))
FILES = [("runs/r.run", b"1 Q0 a 1 2 r\n1 Q0 b 2 1 r\n"), ("ease.txt", b"1 0 a 1\n1 0 b 5\n")]


def table(**cells: object) -> pd.DataFrame:
    row = {"good": "high", "scale": "", "positive": np.nan, "missing": ""} | cells
    return pd.DataFrame([row], index=pd.Index(["ease"], name="aspect"))


def test_an_unchanged_table_changes_nothing():
    assert with_labels(UNDECLARED, table()) == UNDECLARED


def test_a_typed_scale_sets_the_positive_grades():
    text = write_manifest(with_labels(UNDECLARED, table(scale="1 2, 3 4,5")))
    assert parse_manifest(text).columns[0].scale.grades == (1, 2, 3, 4, 5)
    both = [
        ec.evaluate('AP(aspect="ease")', ec.load_files(FILES, manifest=one))
        for one in (write_manifest(UNDECLARED), text)
    ]
    assert [scores.to_numpy().item() for scores in both] == [1.0, 0.5]  # the label 1 of document a is the worst now


def test_each_cell_of_the_table_can_be_corrected():
    cells = {"good": "low", "scale": "0, 1, 2", "positive": 2, "missing": "9, none", "gains": "1, .5, 0"}
    with pytest.raises(ec.InputError):
        with_labels(UNDECLARED, table(**cells))
    changed = with_labels(UNDECLARED, table(**cells | {"missing": "9", "role": "credibility"})).columns[0]
    scale = Scale("credibility", good="low", grades=(0, 1, 2), gains=(1, 0.5, 0), threshold=2.0)
    assert (changed.scale, changed.missing) == (scale, (9.0,))


def test_words_as_grades_are_refused():
    with pytest.raises(ec.InputError, match=r"ease: 'easy, hard' is not a list of numbers"):
        with_labels(UNDECLARED, table(scale="easy, hard"))


def test_runs_in_folds_are_asked_about_and_joined_by_their_row():
    fold = {f"runs/{system}.fold{at}.txt": f"{at} Q0 a 1 2 r\n".encode() for system in ("x", "y") for at in (1, 2)}
    collection = ec.load_files([("qrels.txt", b"1 0 a 1\n2 0 a 1\n"), *fold.items()])
    found = rows(collection)
    pattern = "runs/{system}.fold{fold}.txt"
    assert str(found.loc[pattern, "found"]).startswith(f"{pattern}: runs in folds")
    manifest = parse_manifest(collection.manifest)
    assert with_labels(manifest, found).runs == manifest.runs
    found.loc[pattern, "role"] = JOINED
    joined = ec.load_files(
        [("qrels.txt", b"1 0 a 1\n2 0 a 1\n"), *fold.items()], manifest=write_manifest(with_labels(manifest, found))
    )
    assert joined.systems == ("x", "y")


# --- roles ------------------------------------------------------------------------------------------------------------


def test_changing_a_role_renames_the_aspect():
    both = Manifest(columns=(*UNDECLARED.columns, Column(Scale("trust"), "trust.txt")))
    columns = with_labels(both, table(role="relevance")).columns
    assert [column.scale.name for column in columns] == ["relevance", "trust"]


def test_an_aspect_that_is_left_out_is_not_read():
    other = Column(Scale("trust"), "trust.txt")
    assert with_labels(Manifest(columns=(*UNDECLARED.columns, other)), table(role=LEFT_OUT)).columns == (other,)


EITHER = b'{"1": {"a": 2}, "2": {"b": 1}}'  # a run or labels: nothing says which


def test_a_file_that_could_be_a_run_or_labels_is_asked_about():
    labels = b"".join(b"1 0 %d %d\n2 0 %d %d\n" % (at, at % 2, at, at % 3) for at in range(9))
    files = [("r.run", b"1 Q0 a 1 2 r\n2 Q0 b 2 1 r\n"), ("qrels.txt", labels), ("either.json", EITHER)]
    c = ec.load_files(files)
    shown = rows(c)
    assert str(shown.loc["either", "found"]).startswith("either.json")
    changed = with_labels(parse_manifest(c.manifest), shown.assign(role=["relevance ?", A_RUN, A_RUN]))
    again = ec.load_files(files, manifest=write_manifest(changed))
    assert (again.systems, again.aspects) == (("either", "r"), ("relevance",))


def test_the_roles_of_columns_of_runs_are_shown_and_changed():
    """One row for all runs shows the roles of their columns; the files are read according to the roles typed there."""
    files = [("runs/mine.txt", b"301 Q0 a 1 1 r\n301 Q0 b 2 2 r\n"), ("qrels.txt", b"301 0 a 1\n301 0 b 0\n")]
    c = ec.load_files(files)
    shown = rows(c)
    about = [shown.loc[RUNS, name] for name in ("found", "role", "good", "columns")]
    assert about == ["1 system: mine", "a run ?", "high", "topic, -, document, rank, score, - ?"]
    manifest = parse_manifest(c.manifest)
    assert with_labels(manifest, shown).run_columns == ()
    shown.loc[RUNS, "columns"] = "topic, -, document, rank, -, -"
    changed = with_labels(manifest, shown)
    assert changed.run_columns == ("topic", "", "document", "rank", "", "")
    again = ec.load_files(files, manifest=write_manifest(changed))
    assert [ec.evaluate("RR", one)["mine"].tolist() for one in (c, again)] == [[0.5], [1.0]]
    assert rows(again).loc[RUNS, "columns"] == "topic, -, document, rank, -, -"
    with pytest.raises(ec.InputError, match="columns"):
        parse_manifest(write_manifest(with_labels(manifest, shown.assign(columns=[*shown["columns"][:-1], "grade"]))))


def test_runs_can_only_be_runs_or_left_out():
    files = [("r.run", b"1 Q0 a 1 2 r\n"), ("qrels.txt", b"1 0 a 1\n1 0 b 0\n")]
    c = ec.load_files(files)
    shown, manifest = rows(c), parse_manifest(c.manifest)
    shown.loc[RUNS, "role"] = LEFT_OUT
    assert with_labels(manifest, shown).runs == ()
    for column, value in (("role", "relevance"), ("good", "low")):
        changed = rows(c)
        changed.loc[RUNS, column] = value
        with pytest.raises(ec.InputError, match="all runs"):
            with_labels(manifest, changed)


def test_a_signal_has_no_scale():
    signal = Manifest(columns=(Column(Scale("ease", kind="signal"), "ease.txt"),))
    assert with_labels(signal, table(good="low")).columns[0].scale.good == "low"
    with pytest.raises(ec.InputError, match="a signal has no scale"):
        with_labels(signal, table(missing="9"))


JUDGED = {
    "r.run": b"1 Q0 a 1 2 r\n1 Q0 b 2 1 r\n",
    "qrels.txt": b"1 0 a 1\n1 0 b 0\n1 0 c 1\n",
    "qrels.gpt4.txt": b"1 0 a 1\n1 0 b 1\n1 0 c 0\n",
}


def reread(c: ec.Collection, shown: pd.DataFrame) -> ec.Collection:
    return ec.load_files(list(JUDGED.items()), manifest=write_manifest(with_labels(parse_manifest(c.manifest), shown)))


def test_another_source_can_become_a_separate_aspect_and_back():
    c = ec.load_files(list(JUDGED.items()))
    shown = rows(c)
    key = "relevance by gpt4"
    assert shown.loc[key, "role"] == SOURCE_OF + "relevance ?"
    shown.loc[key, "role"] = "usefulness"
    apart = reread(c, shown)
    assert (apart.aspects, dict(apart.assessments.sources)) == (("relevance", "usefulness"), {})
    assert apart.assessments.columns["usefulness"].tolist() == [1, 1, 0]
    back = rows(apart)
    back.loc["usefulness", "role"] = SOURCE_OF + "relevance"
    again = reread(apart, back)
    assert again.aspects == ("relevance",)
    assert again.assessments.sources["relevance"].labels["usefulness"].tolist() == [1, 1, 0]


def test_removing_an_aspect_reports_its_sources():
    c = ec.load_files(list(JUDGED.items()))
    shown = rows(c)
    shown.loc["relevance", "role"] = LEFT_OUT
    with pytest.raises(ec.InputError, match=r"relevance: Choose which aspect these judges labelled: gpt4"):
        reread(c, shown)


# --- guesses ----------------------------------------------------------------------------------------------------------

RUN = b"1 Q0 a 1 3 r\n1 Q0 b 2 2 r\n1 Q0 c 3 1 r\n"
QRELS = b"1 0 a 1\n1 0 b 0\n1 0 c 1\n1 0 d 2\n"
QREAD = b"1 0 a 9\n1 0 b 0\n1 0 c 1\n1 0 d 2\n"
OWN = {"r.run": RUN, "qrels.txt": QRELS, "qread.txt": QREAD}


def loaded(**files: bytes) -> ec.Collection:
    return ec.load_files(list({**OWN, **files}.items()))


def test_every_cell_that_was_guessed_ends_in_a_question_mark():
    shown = rows(loaded())
    assert shown.loc["understandability"].drop("positive").to_dict() == {
        "found": "qread.txt: 0 (1) · 1 (1) · 2 (1) · 9 (1)",
        "role": "understandability ?",
        "good": "high ?",
        "scale": "0, 1, 2, 9 ?",
        "missing": "none ?",
        "columns": "topic, -, document, grade ?",
        "gains": "0, 0.4, 0.8, 1 ?",  # Zuccon 2016's gains of four grades
    }


def test_declared_facts_are_not_marked_as_guesses():
    sample = ec.load(SAMPLE)
    assert not guessed(sample)
    assert not rows(sample).astype(str).apply(lambda cells: cells.str.contains("?", regex=False)).any(axis=None)


def test_gains_are_in_the_order_of_the_scale():
    described = 'runs = "r.run"\n[aspects.ease]\nfile = "qread.txt"\ngood = "low"\nmissing = [9]\ngrades = [0, 1, 2]\n'
    c = ec.load_files(list(OWN.items()), manifest=described + "gains = [1, 0.5, 0]\n")
    assert rows(c).loc["ease", "gains"] == "1, 0.5, 0"


def test_guesses_left_as_they_are_change_nothing():
    c = loaded()
    assert with_labels(parse_manifest(c.manifest), rows(c)) == parse_manifest(c.manifest)


def test_roles_of_columns_are_shown_and_typed():
    files = [("r.run", OWN["r.run"]), ("qrels.csv", b"topic;document;grade;who\n1;a;1;x\n1;b;0;y\n1;c;1;y\n")]
    c = ec.load_files(files)
    shown = rows(c)
    assert shown.loc["relevance", "columns"] == "topic, document, grade, - ?"
    shown.loc["relevance", "columns"] = "topic, document, grade, judge"
    changed = with_labels(parse_manifest(c.manifest), shown)
    assert changed.columns[0].columns == ("topic", "document", "grade", "judge")
    again = ec.load_files(files, manifest=write_manifest(changed))
    assert list(again.assessments.sources["relevance"].labels) == ["y", "x"]
    assert rows(again).loc["relevance", "columns"] == "topic, document, grade, judge"


def test_roles_of_columns_of_scores_are_shown_and_typed():
    measures = {1: "map", 2: "P_10"}
    text = "".join(f"s{s} {measures[m]} t-{t} 0.{s}{m}\n" for s in (1, 2) for t in "ab" for m in (1, 2))
    c = ec.load_files([("x.txt", text.encode())])
    shown = rows(c)
    assert set(shown["columns"]) == {"system, measure, topic, value ?"}
    shown.loc[shown.index[0], "columns"] = "topic, measure, system, value"
    changed = write_manifest(with_labels(parse_manifest(c.manifest), shown))
    again = ec.load_files([("x.txt", text.encode())], manifest=changed)
    assert (again.systems, again.topics) == (("t-a", "t-b"), ("s1", "s2"))
    assert sorted(again.rankings.given) == ["P_10", "map"]


# --- the page ---------------------------------------------------------------------------------------------------------


def upload(app: AppTest, **files: bytes) -> AppTest:
    sent = [(name, content, "text/plain") for name, content in {**OWN, **files}.items()]
    app.file_uploader(key="upload files").set_value(sent).run()
    return next(button for button in app.button if button.label == "Open").click().run()


def asked(app: AppTest) -> bool:
    open_now = any("What do the labels mean?" in text.value for text in app.markdown)
    return open_now or folded(app)


def folded(app: AppTest) -> bool:
    return any("What do the labels mean?" in expander.label for expander in app.expander)


def test_every_page_asks_about_own_files_until_confirmed():
    app = upload(open_app("glossary"))
    assert not app.exception
    assert asked(app)
    assert not folded(app)
    assert folded(go_to(app, "topic").run())
    app = press(app, "Confirm all")
    assert not asked(app)
    go_to(app, "collection").run()
    assert not any("question mark" in caption.value for caption in app.caption)


def test_the_table_asks_whether_names_are_systems_or_topics():
    def systems(chosen: int | None = None) -> list[str]:
        if chosen is not None:
            radio = next(one for one in app.radio if one.label == "Which are the systems?")
            assert radio.options[1] == "2 systems such as x, on 3 topics such as a"
            radio.set_value(chosen).run()
        return [*app.session_state[families.WHOLE].systems]

    app = open_app("collection")
    app.file_uploader(key="upload files").set_value([("map.csv", b",a,b,c\nx,1,2,3\ny,4,5,6\n", "text/csv")]).run()
    app = press(app, "Open")
    assert systems() == ["a", "b", "c"]
    assert systems(chosen=1) == ["x", "y"]
    assert "transposed = true" in app.session_state[families.WHOLE].manifest


def test_for_given_scores_the_table_shows_whether_high_or_low_is_good():
    scores = b"topic,a,b\n1,0.5,0.25\n2,,1\n"
    c = ec.load_files([("map.csv", scores), ("speed.csv", scores)])
    shown = rows(c)
    assert shown["role"].tolist() == ["scores ?", "scores ?"]
    assert shown["found"].iloc[0] == "map, in map.csv: 3 scores, from 0.25 to 1, 1 missing"
    changed = with_labels(parse_manifest(c.manifest), shown.assign(good=["high ?", "low"]))
    assert [score.good for score in changed.scores] == ["high", "low"]
    left = with_labels(parse_manifest(c.manifest), shown.assign(role=[LEFT_OUT, "scores ?"]))
    assert [score.name for score in left.scores] == ["speed"]
