// Live sliders: which paths are asked for, and where a figure stands over the page.

import assert from "node:assert/strict";
import { test } from "node:test";

import { afterAnswer, isToBeAsked } from "../../ui/shell/following/answers.js";
import { dockedIn } from "../../ui/shell/following/room.js";

test("a path is asked for once; all of it where a hand is near", () => {
  assert.ok(isToBeAsked(undefined, false));
  assert.ok(!isToBeAsked({ state: "coarse" }, false));
  assert.ok(isToBeAsked({ state: "coarse" }, true));
  for (const known of [{ asked: true }, { state: "complete" }, { dear: true }]) assert.ok(!isToBeAsked(known, true));
});

test("one asks again while the server works, and until all is there that is wanted", () => {
  assert.deepEqual(afterAnswer("begun", false), { asked: true });
  assert.deepEqual(afterAnswer("later", true), { asked: true });
  assert.deepEqual(afterAnswer("coarse", true), { state: "coarse", asked: true });
  assert.deepEqual(afterAnswer("coarse", false), { state: "coarse", asked: false });
  assert.deepEqual(afterAnswer("complete", true), { state: "complete", asked: false });
});

test("a path is forgotten that is left for later, and not asked for again where it is too dear", () => {
  assert.equal(afterAnswer("later", false), undefined);
  assert.deepEqual(afterAnswer("dear", true), { dear: true });
  assert.deepEqual(afterAnswer(undefined, true), { dear: false }); // the server is gone: asked when a hand comes again
});

test("a figure takes the half of the window that its slider is not in, and no more than most of it", () => {
  const figure = { height: 450, legend: 0 };
  assert.deepEqual(dockedIn({ top: 500, bottom: 540 }, figure, 800), { height: 450, bare: false, below: false });
  assert.deepEqual(dockedIn({ top: 100, bottom: 140 }, figure, 600), { height: 372, bare: false, below: true });
});

test("where the legend would take too much of it, it goes without", () => {
  assert.ok(dockedIn({ top: 300, bottom: 340 }, { height: 450, legend: 120 }, 400).bare);
});
