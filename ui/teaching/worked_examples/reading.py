"""One text under the readability formulas: its sentences, words and hard words, and the arithmetic."""

from __future__ import annotations

from collections.abc import Iterator

from evalcore.data.readability import FORMULAS, arithmetic, counted, hard_words, sentences
from ui.data.as_python import TextLines
from ui.screen.calls import call
from ui.screen.items import Headline, Item, Latex, Table, Text
from ui.screen.text import markdown
from ui.teaching.worked_examples import texts


def draw(text: str) -> Iterator[Item]:
    """Yield the text's FOG, its sentences with hard words in bold, and the arithmetic of the three formulas."""
    counts = call("counts", counted, TextLines(text))
    found = counts.value
    if not found.words:
        yield Text(texts.NO_WORDS, "info")
        return
    fog = call("fog", FORMULAS["fog"].of, counts.it)
    yield Headline(texts.school_years(fog.value, found.hard, found.words), (fog, counts))
    hard = set(hard_words(text).index)
    marked = [
        " ".join(f"**{markdown(word)}**" if word in hard else markdown(word) for word in one.split())
        for one in sentences(text)
    ]
    yield Text("  \n".join(f"{at}. {one}" for at, one in enumerate(marked, start=1)))
    yield Table(call("words", hard_words, TextLines(text)), "syllables of the hard words")
    for name, latex in arithmetic(found).items():
        yield Latex(latex, (call(name, FORMULAS[name].of, counts.it),))
