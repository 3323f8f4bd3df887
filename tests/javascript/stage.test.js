// What is on stage, and where keys and fingers lead: in the app, and in a file.

import assert from "node:assert/strict";
import { test } from "node:test";

import { stageKey } from "#following/keys.js";
import { chosen, keyDoes, led, ordinal } from "../../ui/shell/scenes.js";

const nowhere = () => null;
const on = (...found) => (selector) => found.some((one) => selector.split(", ").some((part) => part.startsWith(one)));
const key = (name, focus = nowhere) => keyDoes({ key: name, shiftKey: false }, focus);

test("keys lead on and back; with Shift within one view", () => {
  assert.deepEqual(key("ArrowRight"), ["lead", 1]);
  assert.deepEqual(key("PageUp"), ["lead", -1]);
  assert.deepEqual(keyDoes({ key: "ArrowRight", shiftKey: true }, nowhere), ["step", 1]);
});

test("a control that has the focus keeps its keys; Escape leaves, but from what it closes", () => {
  assert.equal(key("ArrowRight", on("[role=slider]")), undefined);
  assert.equal(key(" ", on("button")), undefined);
  assert.deepEqual(key("ArrowRight", on("button")), ["lead", 1]);
  assert.equal(key("c", on("textarea")), undefined);
  assert.deepEqual(key("Escape", on("textarea")), ["quit"]);
  assert.equal(key("Escape", on("dialog")), undefined);
});

test("notes, and the rest of a caption, come and go by N", () => {
  assert.deepEqual(key("n"), ["notes"]);
});

test("until a key or a touch has chosen, what was in view is on stage, or the first", () => {
  assert.equal(chosen(["a", "b"], { stage: "a", place: 0, moved: false, begun: "b" }), "b");
  assert.equal(chosen(["a", "b"], { stage: "b", place: 1, moved: false, begun: undefined }), "a");
});

test("what was chosen stays; where it has left the page, what is in its place comes", () => {
  assert.equal(chosen(["new", "a", "b"], { stage: "b", place: 1, moved: true, begun: undefined }), "b");
  assert.equal(chosen(["a", "c"], { stage: "b", place: 1, moved: true, begun: undefined }), "c");
  assert.equal(chosen(["a"], { stage: "b", place: 1, moved: true, begun: undefined }), "a");
});

test("where one is, is said among those of its kind", () => {
  const all = ["Figure", "Table", "Figure"].map((kind, known) => ({ kind, known }));
  assert.equal(ordinal(all, all[2]), "Figure 2 of 2");
  assert.equal(ordinal([], undefined), "");
});

test("a quick finger across leads on; a slow one, one down, and one that scrolls do not", () => {
  const from = { x: 200, y: 0, when: 0, before: 0, after: 0 };
  assert.equal(led(from, { x: 100, y: 10, when: 200 }), 1);
  assert.equal(led(from, { x: 300, y: 10, when: 200 }), -1);
  assert.equal(led(from, { x: 100, y: 10, when: 900 }), 0);
  assert.equal(led(from, { x: 100, y: 60, when: 200 }), 0);
  assert.equal(led(from, { x: 160, y: 0, when: 200 }), 0);
  assert.equal(led({ ...from, after: 40 }, { x: 100, y: 10, when: 200 }), 0);
});

test("in a file a slider keeps its arrows, and a clicker's keys lead on from there too", () => {
  assert.equal(stageKey("ArrowRight", { typed: true }), undefined);
  assert.equal(stageKey("PageDown", { typed: true }), "onward");
  assert.equal(stageKey(" ", { pressed: true }), undefined);
  assert.deepEqual(["N", "d", "End", "Escape", "x"].map((one) => stageKey(one, {})), ["notes", "darker", "last", "leave", undefined]);
});
