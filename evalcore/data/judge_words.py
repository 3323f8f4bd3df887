"""What the parts of a judge's name look like: of `claude-3-5-sonnet_cot_t0.7_r1` a model, a prompt, a temperature."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

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
