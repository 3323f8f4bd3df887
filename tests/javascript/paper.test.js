// Figures on paper and on stage: colours, names of traces, what points stand for.

import assert from "node:assert/strict";
import { test } from "node:test";

import { contrast, standingOut } from "../../ui/widgets/colours.js";
import { standOut } from "../../ui/widgets/look.js";
import { identify, meant } from "../../ui/widgets/traces.js";

test("contrast is that of WCAG: 21 between black and white", () => {
  assert.ok(Math.abs(contrast([0, 0, 0], [255, 255, 255]) - 21) < 1e-9);
});

test("a colour that can be seen stays, a pale one comes nearer to the text's, one that is no plain colour stays", () => {
  assert.equal(standingOut("#0000ff", "#ffffff", "#000000"), "#0000ff");
  const [pale] = [standingOut("#ffff00", "#ffffff", "#000000")];
  assert.ok(contrast(pale.match(/\d+/g).map(Number), [255, 255, 255]) >= 3);
  assert.equal(standingOut("rgba(1,2,3,0.5)", "#ffffff", "#000000"), "rgba(1,2,3,0.5)");
});

test("on stage a pale line comes nearer to the text's colour, a line of no plain colour stays", () => {
  const traces = [{ line: { color: "#ffff00" } }, { line: { color: "rgba(1,2,3,0.5)" } }, {}];
  standOut(traces, { template: { layout: { font: { color: "#000000" }, paper_bgcolor: "#ffffff00" } } });
  assert.match(traces[0].line.color, /^rgb/);
  assert.equal(traces[1].line.color, "rgba(1,2,3,0.5)");
});

test("traces are known by their names as one plain word, also two of one name", () => {
  const traces = [{ name: "a b" }, { name: "a b" }, {}];
  identify(traces);
  assert.deepEqual(traces.map(({ uid }) => uid), ["ta_32_b_1", "ta_32_b_2", "tundefined_1"]);
});

test("points stand for a system, each once; in a map for that of their column", () => {
  assert.deepEqual(meant([{ customdata: ["A"], data: {} }, { customdata: ["A"], data: {} }, { data: {} }]), ["A"]);
  assert.deepEqual(meant([{ data: { meta: { 3: "B" } }, x: 3 }]), ["B"]);
});
