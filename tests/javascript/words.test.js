// Words: numbers as they are written, captions in lines, Markdown as headlines have it, names of files.

import assert from "node:assert/strict";
import { test } from "node:test";

import { broken, paragraphs } from "#following/lines.js";
import { score, snapped } from "#following/numbers.js";
import { parsed } from "../../ui/shell/following/markdown.js";
import { fileName } from "../../ui/widgets/file_name.js";

test("a score has four decimals, and none where there is none", () => {
  assert.deepEqual([0.25, NaN, Infinity, -Infinity].map(score), ["0.2500", "", "∞", "-∞"]);
});

test("a handle stops at steps, and at both ends", () => {
  const ends = { low: 0, high: 1, step: 0.1 };
  assert.equal(snapped(0.31, ends), 0.3); // and not 0.30000000000000004
  assert.equal(snapped(-3, ends), 0);
  assert.equal(snapped(7, ends), 1);
});

test("of several paragraphs the first is the finding", () => {
  assert.deepEqual(paragraphs("A leads.\n\n uRBP at 0.8 "), [{ words: "A leads.", bold: true }, { words: "uRBP at 0.8", bold: false }]);
  assert.deepEqual(paragraphs("Alone"), [{ words: "Alone", bold: false }]);
});

test("words stand in lines that fit; a longer word is broken", () => {
  const fits = (line) => [...line].length <= 5;
  assert.deepEqual(broken("ab cd efghijk l", fits), ["ab cd", "efghi", "jk l"]);
});

test("Markdown: bold and slanted words, links, escaped signs, lines", () => {
  assert.deepEqual(parsed("**uRBP** of *A* is \\*high  \nsee [more](/topic?t=1)"), [
    [{ name: "strong", parts: ["uRBP"] }, " of ", { name: "em", parts: ["A"] }, " is ", "*", "high"],
    ["see ", { name: "a", parts: ["more"], href: "/topic?t=1" }],
  ]);
});

test("Markdown within Markdown, and a link to elsewhere is text", () => {
  assert.deepEqual(parsed("**a *b***"), [[{ name: "strong", parts: ["a *b"] }, "*"]]);
  assert.deepEqual(parsed("[x](https://evil)"), [["[x](https://evil)"]]);
});

test("a file is called by the figure, and by four signs for what is set; order and how it is shown change nothing", () => {
  assert.equal(fileName("urbp rho 0.8", ""), "urbp-rho-0-8");
  assert.match(fileName("matrix", "?m.with=AP&m.with=P@10"), /^matrix-[0-9a-f]{4}$/);
  assert.equal(fileName("matrix", "?a=1&b=2&present=true"), fileName("matrix", "?b=2&a=1"));
  assert.notEqual(fileName("matrix", "?a=1"), fileName("matrix", "?a=2"));
  assert.notEqual(fileName("asl, seed 7", ""), fileName("asl, seed 8", ""));
  assert.match(fileName("../τ & 50%_x", "?a.b=../../etc"), /^50-x-[0-9a-f]{4}$/);
});
