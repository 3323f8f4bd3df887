import assert from "node:assert/strict";
import { test } from "node:test";

import { addressOf, counted, entries, entry, groups, plain, rank, search, stepped } from "../../ui/shell/palette_search.js";

const NAMES = entries({
  page: [["toma", "TOMA", "Which order do several aspects give?"], ["topic", "Topic", "What happened in one topic?"]],
  known: ["uRBP"], measure: ["AP"], system: ["topical-run"], topic: [["101", "flu shots"]], word: [["Tie", "same score"]],
});
const found = (text, heads = []) => search(NAMES, new Set(heads), text).map(([{ name }]) => name);

test("signs with an accent are found without", () => {
  assert.equal(plain("Édouard"), "edouard");
});

test("a word fits best at the beginning, then at that of a word, then anywhere", () => {
  assert.deepEqual(["topic", "one topic", "isotopic", "none"].map((text) => rank(text, "topic")), [0, 1, 2, 9]);
});

test("while nothing is typed there are pages, and settings", () => {
  assert.deepEqual(found(" "), ["toma", "topic"]);
});

test("every word that is typed has to be there, in the name or beside it", () => {
  assert.deepEqual(found("flu 101"), ["101"]);
  assert.deepEqual(found("flu 102"), []);
});

test("a measure may be typed that has no entry, by a head that is known", () => {
  assert.deepEqual(found("nDCG@20", ["ndcg"]), ["nDCG@20"]);
  assert.deepEqual(found("nDCG@20", ["ap"]), []);
  assert.deepEqual(found("AP", ["ap"]).filter((name) => name === "AP"), ["AP"]); // which has one
});

test("kinds stand by their best hit, hits of a kind by how well they fit", () => {
  const hits = search(NAMES, new Set(), "topic");
  assert.deepEqual(groups(hits, 8).map(({ kind }) => kind), ["page", "system"]);
  const systems = ["an a", "a"].map((name) => entry("system", name, name));
  assert.deepEqual(groups(search(systems, new Set(), "a"), 1)[0].own.map(([{ name }]) => name), ["a"]);
});

test("arrows go round the ends, page keys stop there", () => {
  assert.deepEqual([stepped(2, 1, 3), stepped(0, -1, 3), stepped(1, 8, 3), stepped(1, -8, 3), stepped(0, 1, 3)], [0, 2, 2, 0, 1]);
});

test("it is said how many there are", () => {
  assert.deepEqual([counted(0, 0), counted(3, 3), counted(9, 8)], ["Nothing found", "3 found", "8 shown, 1 more: type on"]);
});

const known = { stems: ["toma", "topic"], seen: { "": { data: ["clef"] }, topic: { "topic.topic": ["101"], "topic.look": ["gain"] } } };

test("a page opens as it was last seen, but for what is said and what is dropped", () => {
  const here = { pathname: "/app/toma", search: "?toma.rho=0.5" };
  assert.equal(addressOf(here, known, "topic", { "topic.topic": ["7"] }, ["topic.look"]), "/app/topic?data=clef&topic.topic=7");
  assert.equal(addressOf(here, known, "topic", {}, null), "/app/topic?data=clef");
  assert.equal(addressOf(here, known, "home", {}, []), "/app/?data=clef");
});

test("the page that is open keeps what its own address says", () => {
  const here = { pathname: "/toma", search: "?toma.rho=0.5&toma.rho=0.6&x=1" };
  assert.equal(addressOf(here, known, "toma", {}, []), "/toma?data=clef&toma.rho=0.5&toma.rho=0.6");
});
