"""Modules of JavaScript joined to one text: it does in node what the files themselves do."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from evalcore.figures.scripts import ScriptError, joined
from node_support import NODE


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "package.json").write_text('{"type": "module"}')
    return tmp_path


def write(folder: Path, **modules: str) -> Path:
    """Write modules by their names; return the path of the one named `first`."""
    for name, text in modules.items():
        (folder / f"{name}.js").write_text(text)
    return folder / "first.js"


def both_ways(folder: Path, **modules: str) -> tuple[str, str]:
    """Return the joined text of some modules, and node's output of it, which must equal that of the modules."""
    first = write(folder, **modules)
    text = joined(first)
    (folder / "whole.js").write_text(text)
    out = printed(folder / "whole.js")
    assert out == printed(first)
    return text, out


def printed(script: Path) -> str:
    return subprocess.run([NODE, script], capture_output=True, text=True, check=True).stdout


def test_a_module_that_two_import_is_there_once_and_keeps_one_state(folder: Path) -> None:
    text, out = both_ways(
        folder,
        first='import { count } from "./counter.js";\nimport { more } from "./other.js";\n'
        "more();\nconsole.log(count());\n",
        other='import {\n  count,\n} from "./counter.js";\nexport async function more() {\n  count();\n}\n',
        counter="let at = 0;\nexport function count() {\n  return at += 1;\n}\n",
    )
    assert (text.count("let at = 0"), out) == (1, "2\n")


def test_two_modules_may_have_one_name_for_two_things(folder: Path) -> None:
    _, out = both_ways(
        folder,
        first='import { read } from "./one.js";\nimport { read as other } from "./two.js";\nconst own = 1;\n'
        "console.log(read(), other(), own);\n",
        one='const own = "one";\nexport const read = () => own;\n',
        two='const own = "two";\nexport const read = () => own;\n',
    )
    assert out == "one two 1\n"


def test_what_the_first_exports_by_default_the_text_exports(folder: Path) -> None:
    first = write(folder, first="export default function show() {\n  return 7;\n}\n")
    (folder / "whole.js").write_text(joined(first))
    asking = folder / "asking.js"
    asking.write_text('import show from "./whole.js";\nconsole.log(show());\n')
    assert printed(asking) == "7\n"


def test_modules_of_the_package_are_found_from_anywhere(folder: Path) -> None:
    first = write(folder, first='import { score } from "#following/numbers.js";\nconsole.log(score(0.5));\n')
    (folder / "whole.js").write_text(joined(first))
    assert printed(folder / "whole.js") == "0.5000\n"


def test_modules_that_import_each_other_are_refused_with_their_circle(folder: Path) -> None:
    first = write(
        folder,
        first='import { a } from "./one.js";\na();\n',
        one='import { b } from "./two.js";\nexport const a = () => b();\n',
        two='import { a } from "./one.js";\nexport const b = () => a();\n',
    )
    with pytest.raises(ScriptError, match=r"found a cycle: one\.js imports two\.js imports one\.js"):
        joined(first)


def test_a_name_that_the_other_module_keeps_to_itself_is_refused(folder: Path) -> None:
    first = write(
        folder, first='import { own } from "./one.js";\nown();\n', one="const own = 1;\nexport const a = own;\n"
    )
    with pytest.raises(ScriptError, match=r"first\.js: expected one\.js to export own"):
        joined(first)


@pytest.mark.parametrize(
    "line",
    [
        'import all from "./one.js";',
        'import * as all from "./one.js";',
        'export { a } from "./one.js";',
        "export let a = 1;",
        "export const [a, b] = [1, 2];",
        "export default function () {}",
    ],
)
def test_what_is_not_understood_is_refused_with_its_line(folder: Path, line: str) -> None:
    first = write(folder, first=f"{line}\n", one="export const a = 1;\n")
    with pytest.raises(ScriptError, match=r"first\.js, .*: expected an import or export in one of the forms"):
        joined(first)


def test_a_file_that_is_not_there_is_refused(folder: Path) -> None:
    first = write(folder, first='import { a } from "./none.js";\n')
    with pytest.raises(ScriptError, match=r"first\.js: expected to import a file beside it or in .*none\.js"):
        joined(first)
