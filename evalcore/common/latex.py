"""LaTeX of tables and text for plain pdflatex: ASCII only, and no package but booktabs.

Foreign text (names from files) is escaped, so that no command in it runs. A character without a LaTeX command is
written as its number, `[U+6F22]`.
"""

from __future__ import annotations

import math
import re
import textwrap
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from numbers import Integral, Real
from typing import Any, NamedTuple

from evalcore.common.lazy_imports import pd
from evalcore.direction import Good

DIGITS = 4
COLUMN, PAGE = 229, 469  # points that a column and a page of an article in two columns have
SPACE, LETTER, SMALL = 12, 5.1, 0.85  # points beside a column, and of a letter; their share in small type
LONGEST, LINES = 190, "p{19em}"  # points of a cell that has words in one line; of one that has them in several
ROWS, MOST_ROWS = 35, 44  # that a page holds under a caption; in small type
NEEDS = r"% needs \usepackage{booktabs}"
_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': "''",
    # after \\ and \midrule, a bracket or a star would be read as part of the command
    **{mark: f"{{{mark}}}" for mark in "[]*"},
    **{mark: f"\\{mark}" for mark in "&%$#_{}"},
}
_LOWER = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho varsigma sigma tau upsilon"
_CAPITALS = "Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"
_GREEK = dict(zip("αβγδεζηθικλμνξπρςστυ", _LOWER.split(), strict=True)) | {
    **{"φ": "varphi", "ϕ": "phi", "χ": "chi", "ψ": "psi", "ω": "omega"},
    **{"ϑ": "vartheta", "ϱ": "varrho", "ϵ": "varepsilon", "µ": "mu"},
    **dict(zip("ΓΔΘΛΞΠΣΥΦΨΩ", _CAPITALS.split(), strict=True)),
    **{"∆": "Delta", "∑": "sum", "∏": "prod", "Ω": "Omega"},
}
_GREEK_AS_LATIN = str.maketrans("ΑΒΕΖΗΙΚΜΝΟΡΤΧο", "ABEZHIKMNOPTXo")
_MATHS = {
    **{"≤": r"\le", "≥": r"\ge", "≠": r"\ne", "≈": r"\approx", "≡": r"\equiv", "∼": r"\sim", "≪": r"\ll", "≫": r"\gg"},
    **{"×": r"\times", "·": r"\cdot", "⋅": r"\cdot", "±": r"\pm", "∓": r"\mp", "÷": r"\div", "−": "-", "√": r"\surd"},
    **{"→": r"\to", "←": r"\leftarrow", "↑": r"\uparrow", "↓": r"\downarrow"},
    **{"↔": r"\leftrightarrow", "⇒": r"\Rightarrow"},
    **{"∞": r"\infty", "∈": r"\in", "∉": r"\notin", "∅": r"\emptyset", "∩": r"\cap", "∪": r"\cup", "∝": r"\propto"},
    **{"⊂": r"\subset", "⊆": r"\subseteq", "∧": r"\wedge", "∨": r"\vee", "¬": r"\neg", "∂": r"\partial"},
    **{"≺": r"\prec", "≻": r"\succ", "⪯": r"\preceq", "⪰": r"\succeq", "∀": r"\forall", "∃": r"\exists"},
    **{"•": r"\bullet", "◦": r"\circ", "★": r"\star", "☆": r"\star", "✓": r"\surd", "°": r"{}^{\circ}", "′": "{}'"},
    **{"«": r"\ll", "»": r"\gg", "|": r"\mid", "ℓ": r"\ell"},
    **{sign: f"{{}}_{{{digit}}}" for digit, sign in enumerate("₀₁₂₃₄₅₆₇₈₉")},
    **{sign: f"{{}}^{{{digit}}}" for digit, sign in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
}
_TEXT = {
    **{"–": "--", "—": "---", "…": r"\ldots{}", "‘": "`", "’": "'", "‚": ",", "“": "``", "”": "''", "„": ",,"},
    **{"‐": "-", "‑": "-", "\xad": r"\-", "\xa0": "~", "\u202f": r"\,", "\u2009": r"\,"},
    **{"ß": r"\ss{}", "æ": r"\ae{}", "Æ": r"\AE{}", "œ": r"\oe{}", "Œ": r"\OE{}", "ø": r"\o{}", "Ø": r"\O{}"},
    **{"ł": r"\l{}", "Ł": r"\L{}", "ı": r"\i{}", "ȷ": r"\j{}"},
    **{"đ": "d", "Đ": "D", "ð": "d", "Ð": "D", "þ": "th", "Þ": "Th"},
    **{"§": r"\S{}", "¶": r"\P{}", "©": r"\copyright{}", "£": r"\pounds{}", "€": "EUR", "¡": "!`", "¿": "?`"},
}
# Combining marks over or under the letter before them; marks that plain LaTeX cannot set are left out.
_MARKS = "\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0323\u0327\u0331"
_ACCENTS = dict(zip(_MARKS, "`'^~=u.\"rHvdcb", strict=True))
_JOINED = ("--", "``", "''", ",,", "?`", "!`")
_SUBSCRIPT = re.compile(f"([{''.join(_GREEK)}])_([A-Za-z0-9]+)")


def latex_text(value: object, decimals: int | None = None) -> str:
    r"""Return a value as LaTeX: text is escaped; numbers have `decimals` decimals, by default four digits.

    >>> latex_text("50% of a_b"), latex_text("τ_AP ≥ ρ"), latex_text("Müller–漢")
    ('50\\% of a\\_b', '$\\tau_{AP}$ $\\ge$ $\\rho$', 'M\\"{u}ller--{[}U+6F22{]}')
    >>> latex_text(0.123456), latex_text(-0.5, decimals=2), latex_text(float("nan"))
    ('0.1235', '$-0.50$', '--')
    """
    if value is None or value is pd.NA or value is pd.NaT:
        return "--"
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, Real):
        return _number(value, decimals)
    text = unicodedata.normalize("NFC", str(value))
    pieces, at = [], 0
    for match in _SUBSCRIPT.finditer(text):
        pieces += [_signs(text[at : match.start()]), rf"$\{_GREEK[match[1]]}_{{{match[2]}}}$"]
        at = match.end()
    return "".join([*pieces, _signs(text[at:])])


def latex_table(
    frame: pd.DataFrame,
    caption: str = "",
    *,
    label: str = "",
    index: bool = False,
    decimals: Mapping[str, int] | None = None,
    comment: str = "",
    best: Mapping[str, Good] | None = None,
) -> str:
    r"""Return a booktabs table, in a table environment if it has a caption; numbers are aligned right.

    Numbers have four digits, or the decimals that `decimals` gives for their column. `comment` is a TeX comment above
    the table. `best` maps columns to "high" or "low", whichever is good; their best numbers are in bold.

    >>> print(latex_table(pd.DataFrame({"a_b": [0.5]})))
    \begin{tabular}{r}
    \toprule
    a\_b \\
    \midrule
    0.5 \\
    \bottomrule
    \end{tabular}
    <BLANKLINE>
    """
    heads = [*(frame.index.names if index else ()), *frame.columns]
    # by position, because two columns may have the same name
    columns: list[Any] = [frame.index.get_level_values(level) for level in range(frame.index.nlevels)] if index else []
    columns += [frame.iloc[:, at] for at in range(frame.shape[1])]
    digits = [None if decimals is None else decimals.get(str(head), DIGITS) for head in heads]
    cells = [[latex_text(cell, place) for cell in column] for column, place in zip(columns, digits, strict=True)]
    for head, good in (best or {}).items():
        at = [str(name) for name in heads].index(head)
        cells[at] = _with_best(cells[at], columns[at], good)
    sides = ["r" if pd.api.types.is_numeric_dtype(column.dtype) else "l" for column in columns]
    whole = [_Column(_head(head), side, column) for head, side, column in zip(heads, sides, cells, strict=True)]
    said = [f"% {latex_text(comment)}"] if comment else []
    lines = _floats(whole, caption, label) if caption else _tabular(whole)
    return "\n".join([*said, *lines]) + "\n"


class _Column(NamedTuple):
    head: str
    side: str
    cells: list[str]

    def width(self) -> float:
        """Return the width, in points, that the column needs in 10-point type, with the space beside it."""
        if self.side == LINES:
            return SPACE + LONGEST
        lines = re.split(r"\\\\", re.sub(r"^\\shortstack\[.\]", "", self.head))
        return SPACE + LETTER * max(map(_letters, [*lines, *self.cells]))

    def narrow(self) -> _Column:
        """Return a narrower column: its heading is wrapped or, if its cells are long texts, these are wrapped."""
        longest = max(self.cells, key=_letters, default="")
        if self.side == "l" and " " in longest and _letters(longest) * LETTER > LONGEST:
            return self._replace(side=LINES)
        most = int(max([8.0, *map(_letters, self.cells)]))
        above = r" \\ ".join(textwrap.wrap(self.head, most, break_long_words=False, break_on_hyphens=False))
        return self._replace(head=rf"\shortstack[{self.side}]{{{above}}}") if r"\\" in above else self


def _letters(cell: str) -> float:
    """Return the number of letters in a cell; a capital counts as 4/3."""
    text = re.sub(r"\\[A-Za-z]+|[{}$\\]", "", cell)
    return len(text) + sum(map(str.isupper, text)) / 3


def _tabular(columns: Sequence[_Column]) -> list[str]:
    rows = [rf"{' & '.join(row)} \\" for row in zip(*([column.head, *column.cells] for column in columns), strict=True)]
    begin = rf"\begin{{tabular}}{{{''.join(column.side for column in columns)}}}"
    return [begin, r"\toprule", rows[0], r"\midrule", *rows[1:], r"\bottomrule", r"\end{tabular}"]


def _floats(columns: Sequence[_Column], caption: str, label: str) -> list[str]:
    """Return the lines of a table that fits a column or else a page of a paper; larger tables are split."""
    narrow, rows = [column.narrow() for column in columns], len(columns[0].cells)
    if _width(columns) > COLUMN and (_width(narrow) <= COLUMN or _width(columns) > PAGE):
        columns = narrow
    small = _width(columns) > PAGE or rows > ROWS
    kind = "table*" if _width(columns) * (SMALL if small else 1) > COLUMN else "table"
    above = [rf"\begin{{{kind}}}", NEEDS, r"\centering", *[r"\footnotesize\setlength{\tabcolsep}{4pt}"] * small]
    named = [rf"\caption{{{latex_text(caption)}}}\smallskip", *([rf"\label{{tab:{_slug(label)}}}"] if label else [])]
    long = max(_letters(cell) for column in columns for cell in ("", *column.cells * (column.side == LINES)))
    size = max(math.ceil(rows / math.ceil((rows or 1) * max(math.ceil(long * LETTER / LONGEST), 1) / MOST_ROWS)), 1)
    parts: list[list[_Column]] = [[]]
    for column in columns:
        if len(parts[-1]) > 1 and _width([*parts[-1], column]) * SMALL > PAGE:
            parts.append([columns[0]])
        parts[-1].append(column)
    lines: list[str] = []
    for part, start in product(parts, range(0, max(rows, 1), size)):
        cut = [column._replace(cells=column.cells[start : start + size]) for column in part]
        lines += [*above, *named, *_tabular(cut), rf"\end{{{kind}}}"]
        named = [r"\addtocounter{table}{-1}", r"\caption{Continued.}\smallskip"]
    return lines


def _width(columns: Iterable[_Column]) -> float:
    return sum(column.width() for column in columns)


def _with_best(cells: list[str], column: Any, good: Good) -> list[str]:
    """Return the cells of a column, with the best (as printed) in bold.

    >>> _with_best(["0.5", "0.7"], pd.Series([0.5, 0.7]), "high")
    ['0.5', '\\\\textbf{0.7}']
    """
    numbers = [(float(number), cell) for number, cell in zip(column, cells, strict=True) if number == number]
    if not numbers:
        return cells
    _, first = (max if good == "high" else min)(numbers)
    return [rf"\textbf{{{cell}}}" if cell == first else cell for cell in cells]


def caption(
    what: str = "",
    collection: str = "",
    measures: Sequence[str] = (),
    settings: Iterable[tuple[str, str]] = (),
    drawn: Mapping[str, float] | None = None,
    usual: Iterable[tuple[str, str]] = (),
) -> str:
    """Return the caption of a table or figure: title, data, measures, settings, random draws.

    `settings` are the settings that differ from their defaults, `usual` the settings at their defaults.

    >>> caption("Pairs", "Health", ["AP", "P@10"], [("Correlation", "τ_AP")], {"seed": 0})
    'Pairs. Collection: Health. Measures: AP, P@10. Settings: Correlation τ_AP. Drawn at random: seed 0.'
    """
    parts = {
        "Collection": collection,
        "Measures" if len(measures) > 1 else "Measure": ", ".join(measures),
        "Settings": "; ".join(f"{name} {words}" for name, words in settings),
        "At their default": "; ".join(f"{name} {words}" for name, words in usual),
        "Drawn at random": ", ".join(f"{name} {value}" for name, value in (drawn or {}).items()),
    }
    sentences = filter(None, [what, *[f"{name}: {words}" for name, words in parts.items() if words]])
    return " ".join([sentence if sentence.endswith((".", "?", "!")) else f"{sentence}." for sentence in sentences])


def under(title: str, about: str) -> str:
    """Return the caption of a figure or table: its title, then data, measures and settings.

    >>> under("Each mark is a system", "Collection: Health.")
    'Each mark is a system. Collection: Health.'
    """
    return f"{caption(title)} {about}".strip() if about else title


def _number(value: Real, decimals: int | None) -> str:
    if math.isnan(value):
        return "--"
    if isinstance(value, Integral):
        text = str(value)
    elif math.isinf(value):
        text = rf"{'-' * (value < 0)}\infty"
    else:
        text = f"{float(value):.{DIGITS}g}" if decimals is None else f"{float(value):.{decimals}f}"
    return text if text[0].isdigit() else f"${text}$"


def _head(name: object) -> str:
    parts = name if isinstance(name, tuple) else (name,)
    return " ".join(latex_text(part) for part in parts if part is not None and part != "")


def _slug(text: str) -> str:
    bare = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", bare.lower()).strip("-") or "table"


def _signs(text: str) -> str:
    """Return text with each character converted, and a separator between two that TeX would join (-- to a dash)."""
    printed = _printable(text)
    after = zip(printed, ["", *printed], strict=False)
    return "".join(("{}" if (before + sign) in _JOINED else "") + _sign(sign) for sign, before in after)


def _printable(text: str) -> str:
    """Return text with its lines joined and invisible characters removed."""
    signs = (" " if sign in "\t\n\r\x0b\x0c\x85\u2028\u2029" else sign for sign in text)
    return "".join(
        sign for sign in signs if unicodedata.category(sign) not in ("Cc", "Cf", "Cs", "Mn") or sign == "\xad"
    )


def _sign(sign: str) -> str:
    if sign in _SPECIAL:
        return _SPECIAL[sign]
    if sign.isascii():
        return sign
    if sign in _GREEK:
        return rf"$\{_GREEK[sign]}$"
    if sign in _MATHS:
        return f"${_MATHS[sign]}$"
    if sign in _TEXT:
        return _TEXT[sign]
    latin = sign.translate(_GREEK_AS_LATIN)
    return latin if latin.isascii() else _accented(sign) or _simpler(sign)


def _accented(sign: str) -> str:
    """Return a letter with the accents that plain LaTeX can set; "" for any other character."""
    letter, *marks = list(unicodedata.normalize("NFD", sign))
    if not marks or not (letter.isascii() and letter.isalpha()):
        return ""
    known = [_ACCENTS[mark] for mark in marks if mark in _ACCENTS]
    dotless = rf"\{letter}" if known and letter in "ij" and known[0] not in "dcb" else letter
    return "".join(rf"\{accent}{{" for accent in reversed(known)) + dotless + "}" * len(known)


def _simpler(sign: str) -> str:
    """Return a full-width form or a ligature as plain characters, and any other character as its number."""
    plain = unicodedata.normalize("NFKD", sign)
    if plain.isascii():
        return "".join(_SPECIAL.get(sign, sign) for sign in plain)
    return "".join(_SPECIAL.get(letter, letter) for letter in f"[U+{ord(sign):04X}]")
