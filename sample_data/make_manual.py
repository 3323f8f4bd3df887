"""Generator of the sample collection `manual/`: focused retrieval in an invented repair manual.

    python -m sample_data.make_manual

People wrote only the files in `manual_source/`: what a manual states on twenty themes, the forty things that
its articles are about, and `collection.toml`. Everything else is drawn here:

1. every article contains some of the themes, in sections, paragraphs and sentences;
2. a topic is one theme in one group of articles; assessors highlight its sentences and choose where to start reading;
3. every system recognises a part of the truth, in its own units: articles, sections, paragraphs, sentences, passages;
4. it scores units by what it recognises, by its impression of the article, and by noise, and returns the best.

Random numbers come from streams named by their purpose (see `make.py`).
"""

from __future__ import annotations

import csv
import functools
import re
import tomllib
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from sample_data.files import write_all

HERE = Path(__file__).parent
SOURCE = HERE / "manual_source"
SEED = "manual-1"
DEPTH = 60  # most parts per topic in a run
OPENING = "opening"

Themes = dict[str, dict[str, Any]]


def stream(*names: str) -> np.random.RandomState:
    """Return the random stream with this name."""
    return np.random.RandomState(zlib.crc32(" ".join((SEED, *names)).encode()))


# 1. Articles


@dataclass(frozen=True)
class Span:
    """One element of an article; a sentence also has its theme."""

    path: str
    start: int
    end: int
    theme: str = ""


@dataclass
class Article:
    """A text under construction, and its elements."""

    document: str
    group: str
    text: str = ""
    spans: list[Span] = field(default_factory=list)
    levels: dict[str, list[Span]] = field(default_factory=dict)

    def add(self, path: str, content: str, theme: str = "") -> None:
        """Append a piece of text."""
        self.spans.append(Span(path, len(self.text), len(self.text) + len(content), theme))
        self.text += content

    def close(self, path: str, start: int) -> None:
        """Add an element that contains the text from `start` to the present end."""
        self.spans.append(Span(path, start, len(self.text)))

    def of(self, level: str) -> list[Span]:
        """Return the elements named `level`, which is article, title, sec, p or s."""
        if level not in self.levels:
            self.levels[level] = [span for span in self.spans if span.path.rpartition("/")[2].startswith(f"{level}[")]
        return self.levels[level]


def write_article(row: Mapping[str, str], themes: Themes) -> Article:
    """Return an article on one thing: an opening, then sections of paragraphs on some of the themes."""
    article = Article(row["document"], row["group"])
    article.add("/article[1]/title[1]", row["title"])
    article.text += "\n\n"
    add_paragraph(article, "/article[1]/p[1]", sentences_of(OPENING, row, themes)[:3])
    for number, (heading, paragraphs) in enumerate(plan(row, themes).items(), start=1):
        article.text += "\n\n"
        start, path = len(article.text), f"/article[1]/sec[{number}]"
        article.add(f"{path}/title[1]", heading)
        for at, paragraph in enumerate(paragraphs, start=1):
            article.text += "\n\n"
            add_paragraph(article, f"{path}/p[{at}]", paragraph)
        article.close(path, start)
    article.close("/article[1]", 0)
    return article


Sentence = tuple[str, str]  # theme, text


def plan(row: Mapping[str, str], themes: Themes) -> dict[str, list[list[Sentence]]]:
    """Map headings to paragraphs on one or two themes; some themes return at the end, or are only mentioned."""
    random = stream("plan", row["document"])
    fitting = [name for name in themes if name != OPENING and row["group"] in themes[name].get("fits", [row["group"]])]
    drawn = random.uniform(size=(len(fitting), 4))
    sections: dict[str, list[list[Sentence]]] = {}
    at_the_end: list[list[Sentence]] = []
    in_passing: list[Sentence] = []
    for name, (chosen, split, shared, mentioned) in zip(fitting, drawn, strict=True):
        sentences = sentences_of(name, row, themes)
        if chosen > 0.55:
            in_passing += [sentences[1]] if mentioned < 0.25 else []
            continue
        if split < 0.3 and len(sentences) > 4:
            at_the_end.append(sentences[3:])
            sentences = sentences[:3]
        section = sections.setdefault(themes[name]["section"], [])
        if shared < 0.4 and section:
            section[-1] += sentences
        else:
            section.append(sentences)
    paragraphs = [paragraph for section in sections.values() for paragraph in section]
    for sentence in in_passing:
        host = paragraphs[random.randint(len(paragraphs))]
        host.insert(random.randint(1, len(host)), sentence)
    return sections | ({"One more thing": at_the_end} if at_the_end else {})


def sentences_of(theme: str, row: Mapping[str, str], themes: Themes) -> list[Sentence]:
    """Return the sentences of a theme about a thing, in order, with up to two left out."""
    random = stream("sentences", row["document"], theme)
    templates = themes[theme]["sentences"]
    left_out = random.choice(len(templates), random.randint(0, 3), replace=False)
    kept = [template for at, template in enumerate(templates) if at not in left_out]
    return [(theme, worded(template, row, random)) for template in kept]


def worded(template: str, row: Mapping[str, str], random: np.random.RandomState) -> str:
    """Return a template with the words for a thing filled in."""
    chosen = re.sub(r"\(([^()]*\|[^()]*)\)", lambda found: str(random.choice(found[1].split("|"))), template)
    sentence = chosen.format(**row)
    sentence = re.sub(r"\b([Aa]) (?=[aeio])", r"\1n ", sentence)
    return sentence[0].upper() + sentence[1:]


def add_paragraph(article: Article, path: str, sentences: Sequence[Sentence]) -> None:
    start = len(article.text)
    for number, (theme, text) in enumerate(sentences, start=1):
        article.text += " " if number > 1 else ""
        article.add(f"{path}/s[{number}]", text, theme)
    article.close(path, start)


# 2. Assessments


@dataclass(frozen=True)
class Topic:
    """A question: one theme in one group of articles."""

    name: str
    theme: str
    group: str
    query: str


@dataclass(frozen=True)
class Marks:
    """An assessor's highlights in an article, and the best entry point."""

    ranges: tuple[tuple[int, int], ...] = ()
    best_entry: int = -1

    @property
    def characters(self) -> int:
        return sum(end - start for start, end in self.ranges)

    def within(self, start: int, end: int) -> int:
        """Return the number of highlighted characters from start to end."""
        return sum(max(min(end, b) - max(start, a), 0) for a, b in self.ranges)


def highlight(topic: Topic, article: Article) -> Marks:
    """Return the highlights: runs of sentences on the theme; a hasty assessor omits the last sentence of a long run."""
    if article.group != topic.group:
        return Marks()
    random = stream("assess", topic.name, article.document)
    runs: list[list[Span]] = []
    before = None
    for span in article.of("s"):
        if span.theme == topic.theme:
            if before is None or before.theme != topic.theme or span.start != before.end + 1:
                runs.append([])
            runs[-1].append(span)
        before = span
    hasty = random.uniform() < 0.25
    kept = [run[:-1] if hasty and len(run) > 3 else run for run in runs]
    ranges = tuple((run[0].start, run[-1].end) for run in kept)
    return Marks(ranges, best_entry(ranges, article, random)) if ranges else Marks()


def best_entry(ranges: Sequence[tuple[int, int]], article: Article, random: np.random.RandomState) -> int:
    """Return the position at which people should start to read.

    It is the start of the first highlighted range (70%), of the heading before that range, or of the longest range.
    """
    first, longest = ranges[0][0], max(ranges, key=lambda at: at[1] - at[0])[0]
    headings = [span.start for span in article.of("title") if span.start <= first]
    return int(random.choice([first, max(headings), longest], p=[0.7, 0.15, 0.15]))


def pool(topic: Topic, articles: Sequence[Article]) -> list[Article]:
    """Return the assessed articles: those of the group, and some others with the theme."""
    random = stream("pool", topic.name)
    themes = {article.document: {span.theme for span in article.spans} for article in articles}
    return [
        article
        for article in articles
        if article.group == topic.group or (topic.theme in themes[article.document] and random.uniform() < 0.6)
    ]


# 3. Units, and how well systems recognise them

Unit = tuple[int, int, str]  # start, end, path ("" for a passage)


def elements(level: str) -> Callable[[Article, Marks], list[Unit]]:
    """Return a function that lists the elements named `level` in an article."""
    return lambda article, _: [(span.start, span.end, span.path) for span in article.of(level)]


def windows(width: int, step: int) -> Callable[[Article, Marks], list[Unit]]:
    """Return a function that lists windows over an article's text, which begin and end at words.

    Windows begin about every `step` characters and have at most `width` characters.
    """
    return lambda article, _: slide(article.text, width, step)


@functools.cache
def slide(text: str, width: int, step: int) -> list[Unit]:
    words = np.array([*(found.start() for found in re.finditer(r"\S+", text)), len(text)])
    starts = words[np.searchsorted(words, np.arange(0, len(text), step))]
    ends = words[np.searchsorted(words, starts + width, side="right") - 1]
    return [(start, end, "") for start, end in zip(starts.tolist(), ends.tolist(), strict=True) if end > start]


def exact(article: Article, marks: Marks) -> list[Unit]:
    """Return the highlighted ranges; for an article without any, the second paragraph."""
    wrong = [(span.start, span.end, "") for span in article.of("p")[1:2]]
    return [(start, end, "") for start, end in marks.ranges] or wrong


def second_opinion(article: Article, marks: Marks) -> list[Unit]:
    """Return the highlighted ranges as another assessor might draw them: starts and ends differ by up to 60 characters.

    If no range is left, return the same as `exact`.
    """
    moved = stream("second", article.document).randint(-60, 61, size=(len(marks.ranges), 2))
    ends = [(start + a, end + b) for (start, end), (a, b) in zip(marks.ranges, moved.tolist(), strict=True)]
    return [(max(start, 0), min(end, len(article.text)), "") for start, end in ends if end > start] or exact(
        article, marks
    )


def neighbours(article: Article, marks: Marks) -> list[Unit]:
    """Return the paragraphs next to those with highlighted text; if there are none, the second paragraph."""
    paragraphs = article.of("p")
    hit = [bool(marks.within(span.start, span.end)) for span in paragraphs]
    beside = [at for at in range(len(hit)) if not hit[at] and any(hit[max(at - 1, 0) : at + 2])]
    return [(paragraphs[at].start, paragraphs[at].end, paragraphs[at].path) for at in beside or [1]]


def entries(article: Article, marks: Marks) -> list[Unit]:
    """Return one unit: the 60 characters from the best entry point on.

    If the article has no entry point, the unit starts at the second paragraph.
    """
    start = marks.best_entry if marks.best_entry >= 0 else article.of("p")[1].start
    return [(start, min(start + 60, len(article.text)), "")]


@dataclass(frozen=True)
class System:
    """A system: its units, its `skill` in recognising them, and the weight of the whole article (`context`)."""

    units: Callable[[Article, Marks], list[Unit]]
    skill: float
    context: float
    noise: float = 0.35
    by_article: bool = False  # parts of an article stay together, in the article's order
    most: int = DEPTH  # most parts per topic
    per_article: int = DEPTH
    form: str = "offsets"  # or "paths", "xml", "csv"


SYSTEMS = {
    "article_terms": System(elements("article"), 0.0, 3.0, noise=0.45, form="paths"),
    "article_dense": System(elements("article"), 0.0, 4.0, noise=0.25),
    "section_terms": System(elements("sec"), 1.2, 1.2, form="paths"),
    "section_dense": System(elements("sec"), 1.8, 1.5, noise=0.25, form="xml"),
    "paragraph_terms": System(elements("p"), 1.2, 1.0, form="paths"),
    "paragraph_dense": System(elements("p"), 1.7, 1.2, noise=0.25, form="csv"),
    "paragraph_context": System(elements("p"), 2.0, 1.4, noise=0.2, by_article=True, most=22, per_article=2),
    "sentence_terms": System(elements("s"), 0.8, 0.6, form="paths"),
    "sentence_answer": System(elements("s"), 1.6, 1.2, noise=0.3, per_article=1),
    "window_150": System(windows(150, 150), 1.4, 1.0),
    "window_500": System(windows(500, 500), 1.4, 1.0),
    "window_1500": System(windows(1500, 1500), 1.4, 1.0),
    "window_500_sliding": System(windows(500, 200), 1.4, 1.0),
    "truth_shuffled": System(exact, 0.0, 0.4, noise=0.8, form="csv"),
    "second_assessor": System(second_opinion, 1.0, 4.0, noise=0.15),
    "beside_the_point": System(neighbours, 0.0, 4.0, noise=0.2, form="paths"),
    "entry_point": System(entries, 0.0, 3.5, noise=0.25),
}

# 4. Runs

Line = tuple[str, float, int, int, str]  # document, score, start, end, path


@dataclass(frozen=True)
class Case:
    """An article for one topic: its highlights, and the cumulative sum of its characters' apparent relevance."""

    topic: Topic
    article: Article
    marks: Marks
    looks: np.ndarray
    around: float  # impression of the whole article


def case(topic: Topic, article: Article) -> Case:
    """Return the case of an article for a topic.

    The apparent relevance of a character is 1 on the topic, and less if only the theme or only the group matches.
    """
    looks = np.full(len(article.text), 0.06 if article.group == topic.group else 0.0)
    for span in article.of("s"):
        if span.theme == topic.theme:
            looks[span.start : span.end] = 1.0 if article.group == topic.group else 0.5
    around = np.log1p(looks.sum() / 40) / 3 + 0.1 * stream("article", topic.name, article.document).normal()
    return Case(topic, article, highlight(topic, article), np.append(0.0, np.cumsum(looks)), around)


def run_of(name: str, topic: Topic, cases: Sequence[Case]) -> list[Line]:
    """Return the lines of a system's run for a topic, best first, or grouped by article if the system groups."""
    system, random = SYSTEMS[name], stream("system", name, topic.name)
    lines: list[Line] = []
    for one in cases:
        units = system.units(one.article, one.marks)
        start, end = np.array([unit[:2] for unit in units]).T
        seen = (one.looks[end] - one.looks[start]) / (end - start)
        around = one.around + 0.6 * system.noise * random.normal()
        scores = system.skill * seen + system.context * around + system.noise * random.normal(size=len(units))
        found = [(one.article.document, score, *unit) for score, unit in zip(scores.tolist(), units, strict=True)]
        lines += sorted(found, key=lambda line: -line[1])[: system.per_article]
    lines.sort(key=lambda line: -line[1])
    return grouped(lines[: system.most]) if system.by_article else lines[: system.most]


def grouped(lines: list[Line]) -> list[Line]:
    """Return the lines grouped by article; articles are ordered by their best line, lines by their position in it.

    The scores are reassigned, so that they descend in the new order.
    """
    first: dict[str, int] = {}
    for at, line in enumerate(lines):
        first.setdefault(line[0], at)
    order = sorted(lines, key=lambda line: (first[line[0]], line[2]))
    scores = sorted((line[1] for line in lines), reverse=True)
    return [(line[0], score, *line[2:]) for line, score in zip(order, scores, strict=True)]


def offsets(name: str, runs: dict[str, list[Line]]) -> str:
    return "".join(
        f"{topic} Q0 {document} {rank} {score:.4f} {name} {start} {end - start}\n"
        for topic, lines in runs.items()
        for rank, (document, score, start, end, _) in enumerate(lines, start=1)
    )


def paths(name: str, runs: dict[str, list[Line]]) -> str:
    return "".join(
        f"{topic} Q0 {document} {rank} {score:.4f} {name} {path}\n"
        for topic, lines in runs.items()
        for rank, (document, score, _, _, path) in enumerate(lines, start=1)
    )


def table(name: str, runs: dict[str, list[Line]]) -> str:
    rows = (
        f"{topic},{document},{rank},{score:.4f},{start},{end - start}\n"
        for topic, lines in runs.items()
        for rank, (document, score, start, end, _) in enumerate(lines, start=1)
    )
    return "topic,document,rank,score,start,length\n" + "".join(rows)


def submission(name: str, runs: dict[str, list[Line]]) -> str:
    text = f'<?xml version="1.0"?>\n<inex-submission run-id={quoteattr(name)} task="Focused" result-type="element">\n'
    for topic, lines in runs.items():
        text += f"<topic topic-id={quoteattr(topic)}>\n"
        for rank, (document, score, _, _, path) in enumerate(lines, start=1):
            result = f"<file>{escape(document)}</file><path>{path}</path><rank>{rank}</rank><rsv>{score:.4f}</rsv>"
            text += f"<result>{result}</result>\n"
        text += "</topic>\n"
    return text + "</inex-submission>\n"


FORMS = {"offsets": (offsets, "txt"), "paths": (paths, "txt"), "csv": (table, "csv"), "xml": (submission, "xml")}

# Files


def make(folder: Path) -> None:
    """Write the whole collection into a folder."""
    themes: Themes = tomllib.loads((SOURCE / "themes.toml").read_text(encoding="utf-8"))
    with (SOURCE / "articles.csv").open(encoding="utf-8", newline="") as file:
        articles = [write_article(row, themes) for row in csv.DictReader(file)]
    asked = [name for name in themes if name != OPENING]
    topics = [
        Topic(f"{100 + number}", name, themes[name]["group"], themes[name]["query"])
        for number, name in enumerate(asked, start=1)
    ]
    contents = {
        "collection.toml": (SOURCE / "collection.toml").read_text(encoding="utf-8"),
        "topics.tsv": "".join(f"{topic.name}\t{topic.query}\n" for topic in topics),
        "highlights.txt": "".join(assessed(topic, article) for topic in topics for article in pool(topic, articles)),
        "elements.csv": "document,path,start,end\n" + "".join(element_lines(article) for article in articles),
    }
    cases = {topic.name: [case(topic, article) for article in articles] for topic in topics}
    contents |= {f"documents/{article.document}.txt": article.text for article in articles}
    for name, system in SYSTEMS.items():
        form, ending = FORMS[system.form]
        runs = {topic.name: run_of(name, topic, cases[topic.name]) for topic in topics}
        contents[f"runs/{name}.{ending}.gz"] = form(name, runs)
    write_all(folder, contents)


def assessed(topic: Topic, article: Article) -> str:
    """Return the highlights of an article as a line in INEX's file-offset-length format."""
    marks = highlight(topic, article)
    ranges = "".join(f" {start}:{end - start}" for start, end in marks.ranges)
    entry = f" {marks.best_entry}{ranges}" if ranges else ""
    return f"{topic.name} Q0 {article.document} {marks.characters} {len(article.text)}{entry}\n"


def element_lines(article: Article) -> str:
    ordered = sorted(article.spans, key=lambda span: (span.start, -span.end))
    return "".join(f"{article.document},{span.path},{span.start},{span.end}\n" for span in ordered)


if __name__ == "__main__":
    make(HERE / "manual")
