"""Entries against the right answer: numbers, choices, rankings, hints."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore import Collection, InputError
from evalcore.data.small_collections import small_collection
from evalcore.measures import DocumentF
from evalcore.teaching.exercises import (
    Names,
    Order,
    Solved,
    compute,
    curve,
    discordant,
    in_words,
    option_scores,
    parse_exercise,
    read_answer,
    shipped,
    solve,
)

LABELS = pd.DataFrame({"relevance": [1, 0, 1]}, index=["a", "b", "c"])


@pytest.fixture(scope="module")
def small() -> Collection:
    """P@1: s 1, t 0, u 1; so s and u are tied."""
    return small_collection(LABELS, {"s": ["a", "b", "c"], "t": ["b", "a", "c"], "u": ["c", "b", "a"]})


def asked(rest: str, collection: Collection) -> Solved:
    return solve(parse_exercise(f'title = "T"\n[[question]]\nid = "q"\ntext = "?"\n{rest}')["q"], collection)


# --- numbers


@pytest.mark.parametrize("entered", [0.4, 0.6, 0.5])
def test_a_number_exactly_as_far_off_as_it_may_be_is_right(small: Collection, entered: float) -> None:
    solved = asked('kind = "number"\nanswer = 0.5\ntolerance = 0.1', small)
    assert solved.check(entered).right


def test_beyond_the_tolerance_the_side_is_named(small: Collection) -> None:
    solved = asked('kind = "number"\nanswer = 200\nrelative = 0.01', small)
    found = [solved.check(one) for one in (197.9, 198, 202, 202.1)]
    assert [one.right for one in found] == [False, True, True, False]
    assert (found[0].comment, found[3].comment) == ("Too low.", "Too high.")


def test_a_right_number_in_per_cent_is_distinguished_from_a_wrong_one(small: Collection) -> None:
    solved = asked('kind = "number"\nanswer = 0.5\nhigh = 1\n[[question.hint]]\nabove = 1\nsay = "No share."', small)
    comment = "That is right as a percentage. Enter the number itself: 50% is 0.5."
    assert [solved.check(one).comment for one in (50, 51)] == [comment, "No share."]
    assert not solved.check(50).right


def test_labels_are_taken_by_the_names_of_their_aspects(small: Collection) -> None:
    """RBP of the first rank, where a page has to be relevant and easy: in neither order of the names."""
    labels = {"relevance": [1, 1], "understandability": [0, 1]}
    scores = [
        compute(read_answer({"list": {"measure": "uRBP(rho=0.5)", "labels": named}}, "here"), small)
        for named in (labels, dict(reversed(labels.items())))
    ]
    assert scores == [0.25, 0.25]  # (1 - 0.5) 0.5 at rank 2


@pytest.mark.parametrize("entered", [float("nan"), float("inf"), "0.5", None, True, [0.5]])
def test_what_is_no_number_is_no_answer(small: Collection, entered: object) -> None:
    with pytest.raises(InputError, match="expected a number"):
        asked('kind = "number"\nanswer = 0.5', small).check(entered)


def test_the_first_hint_whose_conditions_all_hold_is_given(small: Collection) -> None:
    hints = '[[question.hint]]\nabove = 1\nbelow = 2\nsay = "between"\n[[question.hint]]\nnear = 3\nsay = "three"\n'
    solved = asked(f'kind = "number"\nanswer = 0\ntolerance = 0.25\n{hints}[[question.hint]]\nsay = "else"', small)
    assert [solved.check(one).comment for one in (1.5, 2, 3.2, 1)] == ["between", "else", "three", "else"]


# --- choices


def test_of_options_that_are_tied_each_is_right(small: Collection) -> None:
    solved = asked('kind = "choice"\noptions = ["s", "t", "u"]\nanswer = { winner = "P@1" }', small)
    assert solved.right == Names(("s", "u"))
    assert [solved.check(one).right for one in "stu"] == [True, False, True]
    with pytest.raises(InputError, match="expected one of the options"):
        solved.check("x")


def test_a_winner_that_is_no_option_is_refused_with_the_question(small: Collection) -> None:
    rest = 'kind = "choice"\noptions = ["t", "x"]\nanswer = { winner = "P@1" }'
    with pytest.raises(InputError, match=r"exercises.toml, question 'q': expected the right answer among the options"):
        asked(rest, small)


def test_a_choice_in_which_nothing_is_wrong_is_refused(small: Collection) -> None:
    with pytest.raises(InputError, match="found all options tied"):
        asked('kind = "choice"\noptions = ["s", "u"]\nanswer = { winner = "P@1" }', small)


# --- rankings


def test_items_that_are_tied_may_stand_in_any_order(small: Collection) -> None:
    solved = asked('kind = "ranking"\nanswer = { ranking = { measure = "P@1", systems = ["s", "t", "u"] } }', small)
    right = [order for order in permutations("stu") if solved.check(order).right]
    assert right == [("s", "u", "t"), ("u", "s", "t")]


def test_one_pair_that_is_swapped_is_named_and_of_more_their_count(small: Collection) -> None:
    solved = asked('kind = "ranking"\nanswer = ["a", "b", "c"]', small)
    assert solved.check(["b", "a", "c"]).comment == "Nearly: you have swapped b and a."
    assert solved.check(["c", "b", "a"]).comment.startswith("0 of 3 pairs are in the right order; c above b")


def test_where_low_scores_are_good_the_lowest_is_first() -> None:
    lists = "{ early = [1, 0], late = [0, 1] }"
    answer = f'{{ ranking = {{ measure = "ERR", lists = {lists} }} }}'
    collection = small_collection(LABELS, {"s": ["a"]})
    assert asked(f'kind = "ranking"\nanswer = {answer}', collection).right == Order((("early",), ("late",)))


@pytest.mark.parametrize("entered", [["a", "b"], ["a", "a", "b"], ["a", "b", "x"], "abc", 3])
def test_a_ranking_has_every_item_once(small: Collection, entered: object) -> None:
    with pytest.raises(InputError, match="expected each of 3 items once"):
        asked('kind = "ranking"\nanswer = ["a", "b", "c"]', small).check(entered)


def test_a_ranking_in_which_all_are_tied_is_refused(small: Collection) -> None:
    with pytest.raises(InputError, match="found all items tied"):
        asked('kind = "ranking"\nanswer = { ranking = { measure = "P@1", systems = ["s", "u"] } }', small)


ANY_QUESTION = shipped()["order-by-urbp"]
groups = st.lists(st.integers(1, 3), min_size=2, max_size=4)


@settings(max_examples=20)
@given(groups, st.randoms(use_true_random=False))
def test_what_is_shown_at_first_is_not_right_and_any_order_within_ties_is(sizes: list[int], random) -> None:
    names = iter("abcdefghijkl")
    order = Order(tuple(tuple(next(names) for _ in range(size)) for size in sizes))
    solved = Solved(ANY_QUESTION, order)
    assert sorted(solved.items) == sorted(order.items)
    assert not solved.check(solved.items).right
    mixed = [item for group in order.groups for item in random.sample(group, len(group))]
    assert solved.check(mixed).right
    wrong = sum(order.place[x] > order.place[y] for i, x in enumerate(solved.items) for y in solved.items[i + 1 :])
    assert len(discordant(solved.items, order)) == wrong


# --- computed answers, each against another way to compute it


@pytest.mark.parametrize(
    ("description", "expected"),
    [
        ({"list": {"measure": "RBP(rho=0.5)", "labels": [1, 0, 1]}}, 0.625),
        ({"depth": {"measure": "RBP(rho=0.8)", "share": 0.5}}, 4),  # 1 - 0.8^4 = 0.59, 1 - 0.8^3 = 0.488
        ({"depth": {"measure": "RBP(rho=0.5)", "share": 0.5}}, 1),  # exactly half
        ({"value": {"measure": "P@1", "system": "t"}}, 0),
        ({"value": {"measure": "P@1"}}, 1),  # of the first
        ({"value": {"measure": "P@2", "system": "t", "topic": "topic"}}, 0.5),
        ({"value": {"measure": "P@2", "system": "t", "of": "most"}}, 0.5),
        ({"rank": {"measure": "P@1", "system": "t"}}, 3),
        ({"tau": [["a", "b", "c"], ["a", "c", "b"]]}, 1 / 3),  # (2 - 1) / 3
        ({"tau_ap": [["a", "b", "c"], ["b", "a", "c"]]}, 0),  # place 2: 0 of 1, place 3: 2 of 2
        ({"swaps": ["P@1", "RBP"]}, 0),
        ({"wins": {"systems": ["s", "t"], "measures": ["P@1", "P@3"]}}, 1),  # tied by P@3
        ({"ideal": {"measure": "P@2", "aspects": ["relevance"], "topic": "topic"}}, 1),
        ({"winner": {"measure": "P@1", "systems": ["t", "u"]}}, Names(("u",))),
    ],
)
def test_an_answer_is_computed(small: Collection, description: dict[str, object], expected: object) -> None:
    found = compute(read_answer(description, "here"), small)
    assert found == (pytest.approx(expected) if isinstance(expected, float | int) else expected)


@pytest.mark.parametrize(
    ("description", "problem"),
    [
        ({"value": {"measure": "AP", "system": "x"}}, "expected a system of the collection, found 'x'"),
        ({"value": {"measure": "AP", "topic": "x"}}, "expected a topic of the collection"),
        ({"value": {"measure": "AP", "topic": "topic", "of": "most"}}, "expected either `topic` or `of`, found both"),
        ({"tau": ["P@1", "P@3"]}, "expected a number, found none for tau"),  # P@3 ties all
        ({"list": {"measure": "uRBP", "labels": [1, 0]}}, "expected a list of equal length for each of"),
        ({"value": {"measure": 'AP(aspect="x")'}}, "'x'"),
        ({"kappa": ["x", "y"]}, "here: "),
        (
            {"list": {"measure": "P@2", "labels": {"x": [1, 0]}}},
            "expected labels of relevance for P@2, found labels of x",
        ),
        (
            {"depth": {"measure": "RBP(rho=0.999)", "share": 0.5}},
            "its weight on the first 1,000 ranks",
        ),  # 0.999^1000 = .37
        ({"depth": {"measure": "DCG", "share": 0.5}}, "its weight on the first 1,000 ranks"),  # it has no end
    ],
)
def test_what_a_collection_lacks_is_named_with_the_question(
    small: Collection, description: dict[str, object], problem: str
) -> None:
    with pytest.raises(InputError, match=problem) as error:
        compute(read_answer(description, "here"), small)
    assert str(error.value).startswith("here")


def test_the_answer_along_a_parameter_is_that_of_each_value(small: Collection) -> None:
    rest = (
        'kind = "number"\nanswer = { list = { measure = "RBP(rho=0.5)", labels = [1, 1] } }\n'
        'along = { parameter = "rho", values = [0.2, 0.5] }'
    )
    drawn = curve(asked(rest, small).question, small)
    assert drawn is not None
    assert (drawn.here, [one for point in drawn.points for one in point]) == (
        0.5,
        pytest.approx([0.2, 0.96, 0.5, 0.75]),
    )
    other = asked(rest.replace('"rho"', '"depth"'), small).question
    with pytest.raises(InputError, match="expected a measure with the parameter depth"):
        curve(other, small)


# --- the shipped set


def test_every_shipped_answer_is_right_on_the_sample_and_its_hints_can_be_reached(sample: Collection) -> None:
    exercise = shipped()
    for question in exercise.questions:
        solved = solve(question, sample)
        right = solved.right
        probes: list[object] = list(question.options)
        if isinstance(right, Order):
            assert solved.check(right.items).right
            probes = list(permutations(right.items))
        elif isinstance(right, Names):
            assert solved.check(right.names[0]).right
        else:
            assert solved.check(right).right
            asked_for = (numbers["near"] for _, numbers in solved.hints if "near" in numbers)
            probes = [*np.linspace(-1, 200, 1500), *np.linspace(-1, 2, 601), *asked_for]
        comments = {found.comment for probe in probes if not (found := solved.check(probe)).right}
        assert [hint.say for hint in question.hints if hint.say not in comments] == [], question.id
        assert question.explanation
        curve(question, sample)


def test_numbers_in_shipped_texts_are_those_of_the_sample(sample: Collection) -> None:
    def computed(**description: object) -> float:
        found = compute(read_answer(description, "here"), sample)
        assert isinstance(found, float)
        return found

    texts = {question.id: question.text for question in shipped().questions}
    step = computed(swaps=["uRBP1(threshold=13)", "uRBP1(threshold=17)"])
    assert f"swaps {step:g} of the 496 pairs" in " ".join(texts["smooth-border"].split())  # 32 x 31 / 2
    ideal = computed(ideal={"measure": "DCG", "aspects": ["relevance"], "topic": "q24"})
    assert f"about {ideal:.1f}" in texts["least-to-find"]
    dcg = computed(value={"measure": "DCG", "system": "expert_large", "topic": "q24"})
    assert f"is {dcg:.1f}?" in texts["least-to-find"]
    assert shipped()["f-of-a-passage"].answer == pytest.approx(DocumentF().of(400, 100, 250))
    first = [in_words(compute(read_answer({"winner": one}, "here"), sample)) for one in ("RBP", "DCG")]
    assert first == ["expert_large", "expert_large"]
    scores = option_scores(shipped()["divided"], sample)
    assert scores is not None
    assert scores.idxmax() == "fusion_hybrid"
