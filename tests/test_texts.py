"""Sentences of the app stand in the `texts.py` of their folder, so that an editor can read them in one sitting."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

UI = Path(__file__).parents[1] / "ui"
SENTENCE = re.compile(r"(?:[\w'’%()*-]+[,;:.]* ){9}")  # ten words or more
# Help texts belong to fields of settings, texts of steps beside the values that they state, questions by their pages.
OTHERS = re.compile(r"setting\(|^class \w+\((?:Line|Many|Span)\b|^LESSON = |^PAGES = ", re.MULTILINE)
REPORT_BOX = UI / "shell" / "report_box.py"
FOLDERS = [texts.parent for texts in sorted(UI.rglob("texts.py"))]


def strings(tree: ast.AST) -> Iterator[str]:
    """Yield the strings of a module, with x for each value in them; without docstrings and messages of errors."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "x" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif not (isinstance(node, ast.Raise) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))):
            yield from strings(node)


def test_pages_of_every_place_keep_their_texts_apart() -> None:
    assert {folder.name for folder in FOLDERS} >= {
        "home",
        "tune",
        "moved",
        "topic",
        "labels",
        "claims",
        "data",
        "shell",
    }


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_sentences_stand_in_the_texts_of_their_folder(folder: Path) -> None:
    pages = [page for page in folder.glob("*.py") if page.name != "texts.py" and page != REPORT_BOX]
    sources = {page: page.read_text(encoding="utf-8") for page in pages}
    found = {
        page.name: text
        for page, source in sources.items()
        if not OTHERS.search(source)
        for text in strings(ast.parse(source))
        if SENTENCE.search(text)
    }
    assert not found


def test_every_text_is_used() -> None:
    """A text that no page names is left over."""
    words = Counter(word for path in UI.rglob("*.py") for word in re.findall(r"\w+", path.read_text(encoding="utf-8")))
    trees = [ast.parse((folder / "texts.py").read_text(encoding="utf-8")) for folder in FOLDERS]
    statements = [statement for tree in trees for statement in tree.body]
    named = {statement.name for statement in statements if isinstance(statement, ast.FunctionDef)}
    made = [target for statement in statements if isinstance(statement, ast.Assign) for target in statement.targets]
    named |= {target.id for target in made if isinstance(target, ast.Name)}
    assert sorted(name for name in named if words[name] < 2) == []
