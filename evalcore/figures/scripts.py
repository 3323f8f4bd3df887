"""A bundler of JavaScript modules in Python, so that an installed package needs neither node nor a bundler.

Modules are those of ECMAScript in a narrow form that is read line by line: `import { name, other as own } from
"./file.js";`, or from `"#following/file.js"` of this package, as package.json tells node; and `export` before a
function, a class or a constant. Only the first module may `export default` a function, which must have a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FOLLOWING = Path(__file__).parent / "following"
_IMPORT = re.compile(r'^import (?:\{([^{}]*)\} from )?"([^"\n]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (default )?(?=(?:async )?function\*? (\w+)|(?:const|class) (\w+))", re.MULTILINE)
_COMMENT = re.compile(r"^ *(?://.*|/\*\*(?:.|\n)*?\*/)\n", re.MULTILINE)
_LEFT = re.compile(r"^(?:import|export)\b.*$", re.MULTILINE)


class ScriptError(ValueError):
    """Error for modules that cannot be joined; it names the file, and what was expected and found."""


@dataclass(frozen=True)
class _Module:
    """A module: its text, the imported files with the names imported from each, and the names that it exports."""

    path: Path
    text: str
    imports: tuple[tuple[Path, tuple[str, ...]], ...]
    exports: tuple[str, ...]
    default: str


def joined(first: Path) -> str:
    """Return the text of one module that joins a module and all that it imports, directly or not.

    Each module appears once, after its own imports, in a scope of its own, so that names cannot clash; only the default
    export of the first is exported. Lines that are comments are left out. Raises ScriptError for circular imports, for
    a name that is not exported, and for a line that begins with `import` or `export` in another form.
    """
    order = list(_ordered(first.resolve(), ()))
    known = {path: f"_{at}" for at, path in enumerate(order)}
    return "\n".join([*(_scoped(_module(path), known) for path in order[:-1]), _entry(_module(order[-1]), known)])


def _ordered(path: Path, above: tuple[Path, ...]) -> dict[Path, None]:
    """Return the files of a module and of all that it imports, each once and after its own imports."""
    if path in above:
        circle = " imports ".join(script.name for script in (*above[above.index(path) :], path))
        raise ScriptError(f"{path}: expected imports without cycles, found a cycle: {circle}")
    module, modules = _module(path), dict[Path, None]()
    for other, names in module.imports:
        modules |= _ordered(other, (*above, path))
        for name in names:
            if name not in _module(other).exports:
                raise ScriptError(f"{path}: expected {other.name} to export {name}, found that it does not")
    return {**modules, path: None}


@cache
def _module(path: Path) -> _Module:
    text = _COMMENT.sub("", path.read_text(encoding="utf-8"))
    exports = [(bool(match[1]), match[2] or match[3]) for match in _EXPORT.finditer(text)]
    for line in _LEFT.finditer(_IMPORT.sub("", _EXPORT.sub("", text))):
        raise ScriptError(f"{path}, {line.group()!r}: expected an import or export in one of the forms of {__name__}")
    return _Module(
        path,
        text,
        tuple((_file(path, match[2]), tuple(_taken(match[1] or ""))) for match in _IMPORT.finditer(text)),
        tuple(name for default, name in exports if not default),
        next((name for default, name in exports if default), ""),
    )


def _taken(names: str) -> Iterable[str]:
    """Return the names imported from another module, without their local aliases."""
    return (part.split(" as ")[0].strip() for part in names.split(",") if part.strip())


def _file(path: Path, named: str) -> Path:
    base, _, rest = named.partition("/")
    file = (FOLLOWING if base == "#following" else path.parent / base) / rest
    if not file.is_file():
        raise ScriptError(f"{path}: expected to import a file beside it or in #following, found {named!r}")
    return file.resolve()


def _body(module: _Module, known: dict[Path, str]) -> str:
    """Return a module's text for use in a function: imports become constants, and the word `export` is dropped."""

    def constants(match: re.Match[str]) -> str:
        return (
            f"const {{{match[1].replace(' as ', ': ')}}} = {known[_file(module.path, match[2])]};" if match[1] else ""
        )

    return _EXPORT.sub("", _IMPORT.sub(constants, module.text))


def _scoped(module: _Module, known: dict[Path, str]) -> str:
    body, names = _body(module, known), ", ".join(module.exports)
    return f"const {known[module.path]} = (() => {{\n{body}return {{ {names} }};\n}})();"


def _entry(module: _Module, known: dict[Path, str]) -> str:
    body = _body(module, known)
    if module.default:
        return f"export default (() => {{\n{body}return {module.default};\n}})();\n"
    return f"(() => {{\n{body}}})();\n"
