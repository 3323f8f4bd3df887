// What is done by hand: in a text, in a ranking, and what of it is not answered yet.

import assert from "node:assert/strict";
import { test } from "node:test";

import { cut } from "../../ui/focused/pieces.js";
import { edited, wasAt } from "../../ui/widgets/ranking_edits.js";
import { unanswered } from "../../ui/widgets/unanswered.js";

const marked = (text, more) => cut({ text, mine: [], theirs: [], returned: [], entries: {}, ...more });

test("a text is cut into words and what is between them", () => {
  assert.deepEqual(marked("one  two").map(({ text, solid }) => [text, solid]), [["one", true], ["  ", false], ["two", true]]);
});

test("places are characters, not halves of them", () => {
  const [, , last] = marked("🙂🙂 end");
  assert.deepEqual([last.start, last.end], [3, 6]);
});

test("a word is cut where something begins or ends, and its piece says what it is part of", () => {
  const pieces = marked("abcdef", { mine: [[2, 4]], theirs: [[3, 6]] });
  assert.deepEqual(pieces.map(({ text, names }) => [text, ...names]), [["ab"], ["c", "mine"], ["d", "mine", "theirs"], ["ef", "theirs"]]);
});

test("what was returned has its rank, once where it begins", () => {
  const pieces = marked("a b c", { returned: [[0, 3, 2], [4, 5, 1]] });
  assert.deepEqual(pieces.map(({ rank, begins }) => [rank, begins]), [[2, true], [2, false], [2, false], [0, false], [1, true]]);
});

test("entry points stand before the piece that begins there", () => {
  assert.deepEqual(marked("ab", { entries: { mine: 1, begun: 1, theirs: 0 } }).map(({ entries }) => entries), [["theirs"], ["begun", "mine"]]);
});

test("a row is moved or taken out, by its rank", () => {
  assert.deepEqual(edited(["a", "b", "c"], "t1:", "move:t1:3:1"), ["c", "a", "b"]);
  assert.deepEqual(edited(["a", "b", "c"], "t1:", "remove:t1:2"), ["a", "c"]);
});

test("an edit of another line, or beyond the end, changes nothing", () => {
  for (const text of ["move:t2:3:1", "move:t1:9:1", "label:t1:d:1"]) assert.deepEqual(edited(["a", "b"], "t1:", text), ["a", "b"]);
});

test("a row that stands elsewhere says where it was", () => {
  assert.deepEqual([wasAt(2, 2), wasAt(3, 2), wasAt(null, 2)], ["", "was 3", "new"]);
});

test("what an answer lacks of what was sent is still shown, for a while", () => {
  assert.deepEqual(unanswered(["a"], ["a", "b"], 100), ["b"]);
  assert.deepEqual(unanswered(["a"], ["a", "b"], 5000), []);
  assert.deepEqual(unanswered(["x"], ["a", "b"], 100), []); // of another's doing
  assert.deepEqual(unanswered(["a", "b"], ["a", "b"], 100), []);
});
