"""Folders of trec_eval -q outputs of several runs by several people's labels: how tracks and groups keep them."""

from __future__ import annotations

from pathlib import Path

import pytest

import evalcore as ec

RUNS, TOPICS = ("uni-a", "uni-b", "lab_c"), ("301", "302")
VALUES = {"nist": 0.25, "umbrela": 0.5}
LAYOUTS = [
    "{run}.{judge}.eval",
    "{judge}.{run}.txt",
    "{run}_{judge}.eval",
    "{judge}/{run}.eval",
    "evals-{judge}/{run}.eval",
    "{run}/{judge}.eval",
    "results/{judge}/summaries/{run}.res",
    "{run}/{run}.{judge}.out",
]


def output(run: str, value: float) -> str:
    lines = [f"{m:22s}\t{t}\t{value + at / 10:.4f}" for t in TOPICS for at, m in enumerate(("map", "P_10"))]
    return "\n".join([*lines, f"{'runid':22s}\tall\t{run}", f"{'map':22s}\tall\t{value:.4f}", ""])


def written(folder: Path, layout: str, leave: tuple[str, str] | None = None) -> Path:
    for run in RUNS:
        for judge, value in VALUES.items():
            if (run, judge) != leave:
                path = folder / layout.format(run=run, judge=judge)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(output(run, value))
    (folder / "README.txt").write_text("Outputs of trec_eval -q.\n")
    return folder


def by_judge(c: ec.Collection) -> dict[str, list[str]]:
    """The measures by the judge that their names end in."""
    return {judge: [name for name in c.rankings.given if name.endswith(judge)] for judge in VALUES}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_each_judge_s_scores_are_measures_of_the_same_systems(tmp_path, layout):
    c = ec.load(written(tmp_path, layout), use_cache=False)
    assert (c.systems, c.topics) == (("lab_c", "uni-a", "uni-b"), TOPICS)
    for judge, names in by_judge(c).items():
        assert [name.split()[0] for name in names] == ["map", "P_10"]
        assert ec.evaluate(f'Score("{names[0]}")', c).to_numpy().tolist() == [[VALUES[judge]] * 3] * 2


@pytest.mark.parametrize("layout", LAYOUTS)
def test_what_was_inferred_is_read_back_from_its_description(tmp_path, layout):
    c = ec.load(written(tmp_path, layout), use_cache=False)
    (tmp_path / "collection.toml").write_text(c.manifest)
    again = ec.load(tmp_path, use_cache=False)
    assert (again.systems, [*again.rankings.given]) == (c.systems, [*c.rankings.given])


def test_a_run_that_one_judge_lacks_has_gaps(tmp_path):
    c = ec.load(written(tmp_path, "{run}.{judge}.eval", leave=("uni-b", "umbrela")), use_cache=False)
    assert len(c.systems) == 3
    assert ec.evaluate('Score("map umbrela")', c)["uni-b"].isna().all()


def test_one_file_for_each_judge_holds_all_runs(tmp_path):
    for judge, value in VALUES.items():
        (tmp_path / f"{judge}.eval").write_text("".join(output(run, value) for run in RUNS))
    c = ec.load(tmp_path, use_cache=False)
    assert (len(c.systems), by_judge(c)["nist"]) == (3, ["map nist", "P_10 nist"])


@pytest.mark.parametrize("names", [["a.run1", "b.run1"], ["a.short", "b.short"]])
def test_runs_of_a_team_with_one_tag_are_called_by_their_files(tmp_path, names):
    """Two runs of each team; what is relevant is the same in both, or numbers alone tell them apart."""
    files = {f"{name}.eval" for name in names} | {
        f"{name.replace('1', '2').replace('short', 'long')}.eval" for name in names
    }
    for file in files:
        lines = "" if "run" in file else "".join(f"{'num_rel':22s}\t{topic}\t7\n" for topic in TOPICS)
        (tmp_path / file).write_text(lines + output(file[0], 0.3))
    assert set(ec.load(tmp_path, use_cache=False).systems) == {Path(file).stem for file in files}
