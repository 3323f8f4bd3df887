"""What judges are: a table with a line for each source of labels (`judges.csv`), such as model, prompt and cost.

A column names the judge (judge or source); every other column is a factor by which judges differ, but for `cost`, what
one label of the judge costs. Without a table, factors are the parts of the judges' names, where a collection.toml calls
them (`factors = ["model", "prompt"]`); parts stand between -, _ and spaces, or dots before a letter. What parts look
like says more: of `claude-3-5-sonnet_cot_t0.7_r1` a model, a prompt, a temperature.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from evalcore.data.sources import Source
from evalcore.data.system_table import in_words, read_lines
from evalcore.data.tables import read_table
from evalcore.errors import InputError, shorten
from evalcore.later import pd
from evalcore.structures.documents import Assessments, Note

MODEL, PROMPT, TEMPERATURE, REPEAT = WORDS = ("model", "prompt", "temperature", "repeat")
_BETWEEN = re.compile(r"[-_ +,@]+|\.(?![0-9])")
_FAMILY = re.compile(
    r"(chatgpt|chatglm|gpt|o[134](?=$|mini)|llama|claude|gemini|gemma|mistral|mixtral|ministral|qwen|qwq|command|phi|"
    r"deepseek|sonnet|haiku|opus|falcon|vicuna|olmo|grok|granite|nemotron|flan|t5|prometheus|zephyr|tulu|glm|aya|"
    r"davinci|palm|yi)[0-9a-z.]*",
    re.IGNORECASE,
)
# What goes on with the name of a model: its size, its date, a variant; and a version, where no other has been given.
_SIZE = re.compile(r"[0-9]+(\.[0-9]+)?(x[0-9]+)?[bmo]|[0-9]+o|[0-9]{4,8}|[0-9]+\.[0-9]+[a-z]?", re.IGNORECASE)
_VARIANT = re.compile(
    r"mini|micro|nano|tiny|small|medium|large|xl|xxl|base|pro|flash|lite|turbo|plus|max|preview|latest|instruct|chat|it|"
    r"hf|moe|coder|sonnet|haiku|opus|ultra|thinking|awq|gptq|int4|int8|fp8|fp16|bf16|q4|q8|exp|v0\.[0-9]",
    re.IGNORECASE,
)
_VERSION = re.compile(r"[0-9]{1,2}")
_FORMS: Mapping[str, re.Pattern[str]] = {
    TEMPERATURE: re.compile(r"(t|temp|temperature)=?[0-9][0-9.]*", re.IGNORECASE),
    REPEAT: re.compile(r"(r|rep|repeat|run|seed|trial|sample)=?[0-9]+", re.IGNORECASE),
    MODEL: _FAMILY,
}


def parts_of(name: str) -> list[str]:
    """The parts of a name; those of a model's own name stay together.

    >>> parts_of("gpt-3.5-turbo_basic.t0"), parts_of("umbrela-gpt4o-v2"), parts_of("claude-3-5-sonnet cot")
    (['gpt-3.5-turbo', 'basic', 't0'], ['umbrela', 'gpt4o', 'v2'], ['claude-3-5-sonnet', 'cot'])
    """
    split: list[list[str]] = []
    for part in filter(None, _BETWEEN.split(name)):
        if split and _goes_on(split[-1], part):
            split[-1].append(part)
        else:
            split.append([part])
    return ["-".join(parts) for parts in split]


def single_parts(name: str) -> list[str]:
    """The parts of a name, those of models apart too.

    >>> single_parts("gpt-4_basic")
    ['gpt', '4', 'basic']
    """
    return [part for part in _BETWEEN.split(name) if part]


def word_of(part: str) -> str:
    """What a part looks like: one of WORDS but for a prompt, which may look like anything; "" where it is none.

    >>> [word_of(part) for part in ("llama3-8b", "t0.2", "run2", "basic")]
    ['model', 'temperature', 'repeat', '']
    """
    first = part.split("-")[0]  # of a model's name
    return next((word for word, form in _FORMS.items() if form.fullmatch(first if word == MODEL else part)), "")


def by_words(parts: Iterable[str]) -> dict[str, str]:
    """The parts of a name by WORDS; what looks like none of the others is the prompt; {} without a model.

    >>> by_words(["umbrela", "gpt4o", "v2"])
    {'model': 'gpt4o', 'prompt': 'umbrela-v2'}
    """
    by_factor: dict[str, list[str]] = {word: [] for word in WORDS}
    for part in parts:
        word = word_of(part)
        by_factor[word if word and not by_factor[word] else PROMPT].append(part)
    if not by_factor[MODEL]:
        return {}
    prompt = by_factor[PROMPT]
    if not by_factor[REPEAT] and len(prompt) > 1 and _VERSION.fullmatch(prompt[-1]):
        by_factor[REPEAT] = [prompt.pop()]  # a number at the end, behind a prompt
    return {word: "-".join(listed) for word, listed in by_factor.items() if listed}


def _goes_on(before: list[str], part: str) -> bool:
    """Whether a part belongs to the name of a model that stands before it."""
    if not _FAMILY.fullmatch(before[0]):
        return False
    if _VERSION.fullmatch(part):  # gpt-4, claude-3-5
        return not re.search("[0-9]", before[0]) and all(map(_VERSION.fullmatch, before[1:]))
    if part.lower() in ("r1", "v3"):
        return before[0].lower() == "deepseek"
    if part.lower() in ("r", "t5"):
        return before[0].lower() == {"r": "command", "t5": "flan"}[part.lower()]
    return bool(_SIZE.fullmatch(part) or _VARIANT.fullmatch(part))


JUDGE, COST = "judge", "cost"
_LIKE_PROMPT = re.compile(
    r"p[0-9]+|.*(prompt|shot|umbrela|rationale|instruct|basic|cot|plain|simple|detailed).*", re.IGNORECASE
)
NAMES = ("judges.csv", "judges.tsv", "judges.parquet")


def judge_names(pool: Assessments) -> tuple[list[str], list[str]]:
    """All that gave labels of an aspect beside those that are read unasked; and these."""
    several = [source for source in pool.sources.values() if len(source.labels) > 1]
    people = [*dict.fromkeys(sources.default for sources in several)]
    names = dict.fromkeys(name for sources in several for name in sources.labels)
    return [name for name in names if name not in people], people


def read_judge_table(
    source: Source, judges: Sequence[str] | None = None, people: Sequence[str] = ()
) -> tuple[pd.DataFrame, list[Note]]:
    """The lines of these judges, in their order, or of all (None); of people where it has some; what was noticed.

    Raises InputError with file and line for a table without a column of judges or any other, an empty name, a judge
    that is said twice with other cells, and a cost that is no number of 0 or more.
    """
    table = read_table(source)
    if JUDGE not in table:
        table = table.rename(columns={"source": JUDGE})
    _check_costs(table, source)
    named = list(dict.fromkeys(table[JUDGE].astype(str))) if JUDGE in table else []
    if judges is not None and named:
        table[JUDGE] = _as_known(table[JUDGE], [*judges, *people])
        named = list(dict.fromkeys(table[JUDGE]))
    known = named if judges is None else [*judges, *(name for name in people if name in named)]
    lines, notes = read_lines(table, source, known, JUDGE)
    return lines.loc[[name for name in known if name in named]], notes


def _as_known(names: pd.Series, known: Sequence[str]) -> list[str]:
    """Names as judges have them here, where they differ by case and marks alone, as those of files do."""
    spelled = {_letters(name): name for name in known if [*map(_letters, known)].count(_letters(name)) == 1}
    return [name if name in known else spelled.get(_letters(name), name) for name in map(str, names)]


def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, name.lower()))


def _check_costs(table: pd.DataFrame, source: Source) -> None:
    for line, cell in table[COST].items() if COST in table else ():
        number = pd.to_numeric(cell, errors="coerce")
        if cell not in ("", None) and not 0 <= number < float("inf"):
            raise InputError(f"expected a cost of 0 or more, found {shorten(str(cell))}", source.name, int(str(line)))


def factors_in(table: pd.DataFrame) -> pd.DataFrame:
    """The factors of a table of judges, in words; a gap is a level of its own.

    >>> factors_in(pd.DataFrame({"prompt": ["a", None], "t": [0.0, 0.7], "cost": [1, 2]}, ["x", "y"])).values.tolist()
    [['a', '0'], ['not said', '0.7']]
    """
    named = {str(name): pd.Series(in_words(table[name]), dtype=object) for name in table if name != COST}
    return pd.DataFrame(named, index=table.index).rename_axis(JUDGE)


def levels_of(judges: Iterable[str], factors: Sequence[str]) -> dict[str, list[str | None]]:
    """By judge the part of its name that is each factor; None where it has none.

    Judges whose names have as many parts as there are factors, and, of factors that are WORDS, those in whose name a
    model is found.

    >>> levels_of(["gpt4-basic", "llama3-8b_basic_t0.2", "nist"], ["model", "prompt", "temperature"])
    {'gpt4-basic': ['gpt4', 'basic', None], 'llama3-8b_basic_t0.2': ['llama3-8b', 'basic', 't0.2']}
    """
    columns = {name: _levels(name, factors) for name in judges}
    return {name: levels for name, levels in columns.items() if levels is not None}


def _levels(name: str, factors: Sequence[str]) -> list[str | None] | None:
    alike = [parts for parts in (parts_of(name), single_parts(name)) if len(parts) == len(factors)]
    if set(factors) <= set(WORDS) and not any(_fits(parts, factors) for parts in alike):
        words = by_words(parts_of(name))
        if words and words.keys() <= set(factors):
            return [words.get(factor) for factor in factors]
    return list(alike[0]) if alike else None


def _fits(parts: Sequence[str], factors: Sequence[str]) -> bool:
    """Whether each part looks like what it is called."""
    return [*map(word_of, parts)] == ["" if factor == PROMPT else factor for factor in factors]


def by_names(judges: Iterable[str], factors: Sequence[str]) -> pd.DataFrame:
    """The table of judges by `levels_of` their names; a part called "" is none.

    Raises InputError where fewer than two have any.

    >>> by_names(["gpt-a-1", "llama-a-2", "nist"], ["model", "", "repeat"]).to_dict("list")
    {'model': ['gpt', 'llama'], 'repeat': ['1', '2']}
    """
    columns = levels_of(judges, factors)
    if len(columns) < 2:
        raise InputError(f"expected two judges or more whose names have {len(factors)} parts, found {len(columns)}")
    rows = [dict(zip(factors, levels, strict=True)) for levels in columns.values()]
    return pd.DataFrame(rows, pd.Index(list(columns), name=JUDGE, dtype=object)).drop(columns="", errors="ignore")


def guessed_factors(judges: Iterable[str]) -> tuple[str, ...]:
    """What the parts of the judges' names seem to be, "" for one that groups none; () where there is none that does.

    Of names that have as many parts as most, by their place; where names with models have unlike many parts, or the
    same ones in other places, those of WORDS that there are. A guess, to be confirmed.

    >>> guessed_factors(["gpt4-basic-t0", "gpt4-basic-t1", "llama-basic-t0"])
    ('model', '', 'temperature')
    >>> guessed_factors(["gpt4_p1", "gpt4_p2_t0.7", "llama3-8b_p1"])
    ('model', 'prompt', 'temperature')
    """
    names = list(judges)
    split = [parts_of(name) for name in names]
    lengths = [len(parts) for parts in split]
    count = max(lengths, key=lengths.count, default=0)
    alike = [parts for parts in split if len(parts) == count]
    words = [factors for parts in split if (factors := by_words(parts))]
    places = {tuple(word_of(part) for part in parts) for parts in split if by_words(parts)}
    if len(words) > 2 and len(places) > 1:
        there = tuple(word for word in WORDS if len({factors.get(word) for factors in words}) > 1)
        return there if _groups(words, there) else ()
    if len(alike) < 3:
        return ()
    called = tuple(_named(list(zip(*alike, strict=True))))
    return called if any(called) else ()


def _groups(words: Sequence[dict[str, str]], factors: Sequence[str]) -> bool:
    """Whether two judges share a level of some factor."""
    levels = [[factor_words[factor] for factor_words in words if factor in factor_words] for factor in factors]
    return any(len(set(listed)) < len(listed) for listed in levels)


def _named(columns: Sequence[Sequence[str]]) -> Iterator[str]:
    """A name for each part; a word for what it is is given once."""
    free = list(WORDS)
    for at, levels in enumerate(columns, start=1):
        if not 1 < len(set(levels)) < len(levels):
            yield ""
            continue
        kinds = {word_of(level) for level in levels}
        word = next(iter(kinds)) if len(kinds) == 1 else ""
        if not word and any(map(_LIKE_PROMPT.fullmatch, levels)):
            word = PROMPT
        if word in free:
            free.remove(word)
            yield word
        else:
            yield f"part {at}"
