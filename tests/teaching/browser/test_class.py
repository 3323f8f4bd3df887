"""A class as teacher and students see it: two phones in a browser, 58 scripted phones, six questions."""

from __future__ import annotations

import json
import random
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from http.client import HTTPConnection
from itertools import chain
from pathlib import Path
from statistics import median, quantiles
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Error, Page, Request, expect

import evalcore as ec
from browser_support import barriers, running_app
from evalcore.teaching.exercises import shipped, solve
from ui.teaching.classroom import routes
from ui.teaching.classroom.questions import of_exercise

SCRIPTED, ALL = 58, 60
OVER = 6.0  # seconds over which a class answers
# Records, in the teacher's page, when the figure shows how many answers.
WATCH = """() => {
  window.seen = [];
  setInterval(() => {
    const trace = document.querySelector(".js-plotly-plot")?.data?.[0];
    const bars = () => trace.text.reduce((sum, one) => sum + Number(one), 0);
    const count = !trace ? 0 : trace.type === "bar" ? bars() : trace.customdata.length;
    if (count !== window.seen.at(-1)?.[1]) window.seen.push([Date.now() / 1000, count]);
  }, 10);
}"""


class Student:
    """A scripted phone, and everything that was sent to it."""

    def __init__(self, address: str, code: str) -> None:
        self.netloc, self.code, self.cookie, self.received = urlsplit(address).netloc, code, "", list[str]()
        self.sent_at = 0.0
        self.ask("join", {"code": code})

    def ask(self, path: str, content: Any = None) -> dict[str, Any]:
        """Return an answer; each request uses a new connection, as after a lost one."""
        line = HTTPConnection(self.netloc, timeout=60)
        headers = {"Cookie": self.cookie, "Content-Type": "application/json"}
        line.request("GET" if content is None else "POST", f"/class/{path}", content and json.dumps(content), headers)
        answer = line.getresponse()
        text = answer.read().decode()
        self.received.append(text)
        assert answer.status == 200, (path, answer.status, text)
        if given := answer.headers.get("Set-Cookie"):
            self.cookie = given.partition(";")[0]
        line.close()
        told: dict[str, Any] = json.loads(text)
        return told

    def state(self, seen: str = "") -> dict[str, Any]:
        return self.ask(f"{self.code}/state?seen={seen}")

    def answers(self, question: dict[str, Any], chance: random.Random) -> None:
        """Answer after a random time, in some cases twice or after a reload."""
        time.sleep(chance.random() * OVER)
        if chance.random() < 0.3:
            self.ask("join", {"code": self.code})
        options = list(range(len(question["options"])))
        values: dict[str, Callable[[], Any]] = {
            "number": lambda: f"{chance.random():.3f}",
            "choice": lambda: chance.choice(options),
            "order": lambda: chance.choice([options, options[::-1]]),  # the figure has the twelve most frequent
            "words": lambda: chance.choice(["the grade", "2^grade - 1"]),
            "draw": lambda: None,
        }
        self.sent_at = time.time()
        self.ask(f"{self.code}/say", {"question": question["at"], "value": values[question["kind"]]()})


class Waiting(threading.Thread):
    """A phone that waits for news until the end, as every phone does while it sends."""

    def __init__(self, student: Student) -> None:
        super().__init__(daemon=True)
        self.student, self.ended = student, False

    def run(self) -> None:
        seen = ""
        while not self.ended:
            try:
                seen = self.student.state(seen)["seen"]
            except AssertionError:
                assert self.ended  # then the class has, too


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running_app(tmp_path_factory.mktemp("class") / "app.log") as address:
        yield address


@pytest.fixture
def teacher(browser: Browser, address: str) -> Iterator[Page]:
    """Open a class as a teacher, in a browser."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(f"{address}/learn?learn.view=classroom")
    expect(page.get_by_role("button", name="Open a class")).to_be_visible()
    page.get_by_role("button", name="Open a class").click()
    expect(page.get_by_text("Code: ")).to_be_visible()
    yield page
    page.get_by_role("button", name="End the class").click()
    expect(page.get_by_role("button", name="Open a class")).to_be_visible()
    context.close()


def code_of(teacher: Page) -> str:
    found = re.search(r"Code: (\w{4})", teacher.locator(".stApp").inner_text())
    assert found
    return found[1]


@pytest.fixture
def phone(browser: Browser, address: str) -> Iterator[Callable[[], Page]]:
    """Yield a function that opens phones, 360 px wide with a touch screen, whose errors fail the test."""
    contexts, errors = [], list[str]()

    def opened() -> Page:
        contexts.append(browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True))
        page = contexts[-1].new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(f"{address}/class")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert errors == []


def keep(bodies: list[str], request: Request) -> None:
    """Record the answer to a request of a page."""
    with suppress(Error):  # the last ones come while the browser closes
        if answer := request.response():
            bodies.append(answer.text())


def joined(page: Page, code: str) -> Page:
    page.get_by_label("Code on the screen").fill(code.lower())
    page.get_by_role("button", name="Join").tap()
    expect(page.locator("#class")).to_be_visible()
    return page


def choose(teacher: Page, label: str, option: str) -> None:
    box = teacher.get_by_test_id("stSelectbox").filter(has=teacher.get_by_text(label, exact=True))
    if box.locator("input").input_value() != option:
        box.locator("input").click()
        teacher.get_by_role("option", name=option).first.click()
        expect(box.locator("input")).to_have_value(option)


def ask(teacher: Page, source: str, question: str = "", label: str = "Question") -> None:
    choose(teacher, "Ask", source)
    if question:
        choose(teacher, label, question)
    teacher.get_by_role("button", name="Ask the class").click()
    expect(teacher.get_by_role("button", name="Reveal")).to_be_enabled()


def titled(kind: str) -> str:
    return next(one.title for one in shipped().questions if one.kind == kind)


def at_ease(page: Page) -> None:
    """Assert that there is no accessibility barrier, nothing is wider than the phone, and all controls fit a thumb."""
    assert barriers(page) == []
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 360
    sizes = page.locator("button:visible, .option:visible, #value:visible:not([type=radio])")
    for at in range(sizes.count()):
        box = sizes.nth(at).bounding_box()
        assert box
        assert box["height"] >= 44, sizes.nth(at).inner_text()


@pytest.mark.slow
def test_each_kind_of_question_is_answered_by_thumb_and_by_keys(teacher: Page, phone: Callable[[], Page]) -> None:
    page = phone()
    at_ease(page)
    joined(page, code_of(teacher))
    sent = page.get_by_text("Sent. You can change it")
    ask(teacher, "Exercises of the path", titled("number"))
    page.get_by_label("Your number").fill("0,6")
    at_ease(page)
    page.get_by_role("button", name="Send").tap()
    expect(page.get_by_text("Sent. You can change it: 0.6.")).to_be_visible()
    page.reload()
    expect(page.get_by_text("Sent. You can change it: 0.6.")).to_be_visible()
    teacher.reload()
    expect(teacher.get_by_text("1 of 1 student answered")).to_be_visible()
    assert barriers(teacher) == []
    teacher.get_by_role("button", name="Reveal").press("Enter")
    expect(page.get_by_text("Your answer: 0.6. Not quite.")).to_be_visible()
    at_ease(page)

    ask(teacher, "Exercises of the path", titled("choice"))
    page.locator("[type=radio]").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(sent).to_be_visible()
    at_ease(page)

    ask(teacher, "Exercises of the path", titled("ranking"))
    second = page.locator("li span").nth(1).inner_text()
    page.locator("li").nth(1).get_by_role("button", name=re.compile("up$")).tap()
    assert page.locator("li span").first.inner_text() == second
    expect(page.locator("li").first.get_by_role("button", name=re.compile("up$"))).to_be_focused()
    at_ease(page)
    page.get_by_role("button", name="Send").tap()
    expect(sent).to_be_visible()

    ask(teacher, "A step of the path, in words", "Gain", "Step")
    page.get_by_label("Your answer").fill("<b>2^grade</b>")
    at_ease(page)
    page.get_by_role("button", name="Send").tap()
    expect(page.get_by_text("Sent. You can change it: <b>2^grade</b>.")).to_be_visible()

    ask(teacher, "One resample at a time")
    page.get_by_role("button", name="Draw my resample").tap()
    expect(page.get_by_text("Winner of your resample: ")).to_be_visible()
    at_ease(page)
    page.get_by_role("button", name="I am stuck").tap()
    expect(teacher.get_by_text("1 stuck")).to_be_visible()
    teacher.get_by_role("button", name="Reveal").click()
    expect(teacher.get_by_text("The pages, which use many more resamples, state")).to_be_visible()
    assert barriers(teacher) == []


@pytest.mark.slow
def test_an_answer_sent_without_a_network_arrives_after_it(teacher: Page, phone: Callable[[], Page]) -> None:
    page = joined(phone(), code_of(teacher))
    ask(teacher, "Exercises of the path", titled("number"))
    page.get_by_label("Your number").fill("0.25")
    page.context.set_offline(True)
    page.get_by_role("button", name="Send").tap()
    expect(page.get_by_text("Sending")).to_be_visible()
    page.context.set_offline(False)
    expect(page.get_by_text("Sent. You can change it: 0.25.")).to_be_visible()
    expect(teacher.get_by_text("1 of 1 student answered")).to_be_visible()


@pytest.mark.slow
def test_every_phone_is_told_that_the_class_or_the_server_has_ended(browser: Browser, tmp_path: Path) -> None:
    with running_app(tmp_path / "app.log") as address:
        teacher, page = (browser.new_context(has_touch=True).new_page() for _ in range(2))
        teacher.goto(f"{address}/learn?learn.view=classroom")
        for ends in ("class", "class of a phone that is away", "server"):
            expect(teacher.get_by_role("button", name="Open a class")).to_be_visible()
            teacher.get_by_role("button", name="Open a class").click()
            expect(teacher.get_by_text("Code: ")).to_be_visible()
            page.goto(f"{address}/class")
            joined(page, code_of(teacher))
            if ends != "server":
                page.context.set_offline(ends != "class")
                teacher.get_by_role("button", name="End the class").click()
                expect(teacher.get_by_role("button", name="Open a class")).to_be_visible()
                page.context.set_offline(False)
                expect(page.get_by_text("This class has ended.")).to_be_visible()
        begun = time.monotonic()
    assert time.monotonic() - begun < routes.WAIT / 2, "the server waited for phones that wait for news"
    expect(page.get_by_text("The server has ended or cannot be reached.")).to_be_visible()
    for one in (teacher, page):
        one.context.close()


@pytest.mark.slow
def test_sixty_students_answer_six_questions(teacher: Page, phone: Callable[[], Page], address: str) -> None:
    code, chance = code_of(teacher), random.Random(0)
    students = [Student(address, code) for _ in range(SCRIPTED)]
    phones = [joined(phone(), code) for _ in range(ALL - SCRIPTED)]
    traffic = [list[str]() for _ in phones]
    for page, bodies in zip(phones, traffic, strict=True):
        page.on("requestfinished", partial(keep, bodies))
    waiting = [Waiting(student) for student in students]
    for one in waiting:
        one.start()
    expect(teacher.get_by_text(f"{ALL} students joined")).to_be_visible()
    teacher.evaluate(WATCH)
    data = ec.load("sample_data/health")
    path = ("Exercises of the path", "Question")
    asked = [(*path, titled(kind)) for kind in ("number", "choice", "ranking")]
    asked += [("A step of the path, in words", "Step", "Gain"), ("One resample at a time", "", "")]
    asked += [(*path, [one.title for one in shipped().questions if one.kind == "number"][1])]
    took = list[float]()
    for at, (source, label, title) in enumerate(asked):
        before = len(students[0].received)
        ask(teacher, source, title, label)
        teacher.wait_for_function("() => window.seen.at(-1)?.[1] === 0 || !document.querySelector('.js-plotly-plot')")
        teacher.evaluate("() => { window.seen = []; }")
        question = students[0].state()["question"]
        assert question["at"] == at
        for page in phones:
            expect(page.locator("#answer")).to_be_visible()
            for control in page.locator("input:not([type=radio])#value, textarea").all():
                control.fill("0.5")
            for option in page.locator(".option").all()[:1]:
                option.tap()
            page.locator("#send").tap()
        teacher.wait_for_function(f"() => window.seen.at(-1)?.[1] === {len(phones)}")
        threads = [
            threading.Thread(target=one.answers, args=(question, random.Random(chance.random()))) for one in students
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        expect(teacher.get_by_text(f"{ALL} of {ALL} students answered")).to_be_visible()
        teacher.wait_for_function(f"() => window.seen.at(-1)?.[1] === {ALL}")
        seen = teacher.evaluate("() => window.seen")
        for number, sent in enumerate(sorted(student.sent_at for student in students), start=len(phones) + 1):
            took.append(next(moment for moment, count in seen if count >= number) - sent)
        told = "\n".join([*(text for student in students for text in student.received), *chain(*traffic)])
        if source == path[0]:
            key = of_exercise(solve(next(one for one in shipped().questions if one.title == title), data))[1]
            assert json.dumps(key.sentence)[1:-1] not in told
            assert key.sentence not in told
        assert all(word not in "\n".join(students[0].received[before:]) for word in ('"sentence"', '"near"', '"right"'))
        teacher.get_by_role("button", name="Reveal").click()
        for page in phones:
            expect(page.get_by_text(re.compile(rf"{ALL} answers"))).to_be_visible()
        for student in students:  # none is lost
            assert "mine" in student.state()["question"]
    for one in waiting:
        one.ended = True
    students[0].ask(f"{code}/say", {"stuck": True})
    teacher.get_by_text("are free").click()  # news for all, so that nobody waits
    for one in waiting:
        one.join()
    assert len(took) == SCRIPTED * len(asked)
    # Printed and not asserted, as machines are noisy: at most 1 s at the median and 2 s at 95 % are promised.
    print(f"median {median(took):.2f} s, 95 %: {quantiles(took, n=20)[-1]:.2f} s")
