"""Labels of many judges of one pool, and no runs: how judge studies keep them."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from random import Random

import pytest

import evalcore as ec

MODELS = ("gpt-4o", "gpt-4o-mini", "claude-3.5-sonnet", "llama3.1-70b", "phi-3")
PROMPTS = ("basic", "umbrela", "rubric")
JUDGES = [*product(MODELS, PROMPTS)]
PAIRS = [(f"{topic}", f"doc_{at}") for topic in range(1, 6) for at in range(8)]
CHANCE = ("phi-3", "basic")  # whose labels have nothing to do with those of others


def label(judge: tuple[str, str], pair: tuple[str, str]) -> int:
    own = Random(f"{judge}{pair}")
    return (
        own.choice((0, 1, 2, 3)) if judge == CHANCE else min(Random(f"{pair}").randrange(4) + (own.random() < 0.2), 3)
    )


def lines(text: str, judge: tuple[str, str]) -> str:
    """Return one line for each label of a judge."""
    model, prompt = judge
    return "".join(text.format(t=t, d=d, label=label(judge, (t, d)), m=model, p=prompt) for t, d in PAIRS)


QRELS = "{t} 0 {d} {label}\n"
FILES = {
    "{m}_{p}.txt": QRELS,
    "{m}/{p}/qrels.txt": QRELS,
    "judgments-{m}--{p}.tsv": "query_id\tdoc_id\trelevance\tconfidence\n{t}\t{d}\t{label}\t0.5\n",
    "{m}__{p}.jsonl": '{{"qid": "{t}", "docid": "{d}", "judge": "{m}-{p}", "label": {label}, "confidence": 0.25}}\n',
}


def all_judges(c: ec.Collection) -> bool:
    """Return True if each judge's labels are those that it gave; names may be written in other ways."""
    (aspect,), pool = c.aspects, c.assessments
    found = pool.sources[aspect].labels
    by_letters = {"".join(filter(str.isalnum, name)): values for name, values in found.items()}
    for model, prompt in JUDGES:
        names = ["".join(filter(str.isalnum, "".join(parts))) for parts in ((model, prompt), (prompt, model))]
        (values,) = [by_letters[name] for name in names if name in by_letters]
        rows = zip((pool.topics[at] for at in pool.topic), pool.documents, strict=True)
        if values.tolist() != [label((model, prompt), pair) for pair in rows]:
            return False
    return True


@pytest.mark.parametrize("layout", FILES)
def test_a_file_for_each_judge(tmp_path: Path, layout):
    for model, prompt in JUDGES:
        path = tmp_path / layout.format(m=model, p=prompt)
        path.parent.mkdir(parents=True, exist_ok=True)
        head, _, text = FILES[layout].rpartition("\n{") if "\n{" in FILES[layout] else ("", "", FILES[layout])
        text = text if not head else "{" + text
        path.write_text((f"{head}\n" if head else "") + lines(text, (model, prompt)))
    assert all_judges(ec.load(tmp_path, use_cache=False))


def test_a_column_of_models_and_one_of_prompts(tmp_path: Path):
    rows = "".join(lines("{m},{p},{t},{d},{label},0.5\n", judge) for judge in JUDGES)
    (tmp_path / "labels.csv").write_text(f"model,prompt,qid,docid,label,confidence\n{rows}")
    assert all_judges(ec.load(tmp_path, use_cache=False))


def test_a_column_for_each_judge(tmp_path: Path):
    names = ["_".join(judge) for judge in JUDGES]
    rows = [
        {"topic": t, "doc": d} | dict(zip(names, [label(j, (t, d)) for j in JUDGES], strict=True)) for t, d in PAIRS
    ]
    text = "\n".join([",".join(rows[0]), *(",".join(str(cell) for cell in row.values()) for row in rows)])
    (tmp_path / "labels.csv").write_text(text)
    assert all_judges(ec.load(tmp_path, use_cache=False))


def test_labels_on_another_scale_than_the_human_ones_are_refused(tmp_path):
    rows = "".join(f"{t}\t{d}\t{at % 2}\t{at % 4}\n" for at, (t, d) in enumerate(PAIRS))
    (tmp_path / "pool.tsv").write_text(f"qid\tpid\tnist\tgpt-4o\n{rows}")
    why = r"because it has grades that the default source does not have \(2, 3\); .* beside its column nist"
    with pytest.raises(ec.InputError, match=why):
        ec.load(tmp_path)
