// Figures on paper and on stage: sizes, type and colours.

import assert from "node:assert/strict";
import { test } from "node:test";

import { contrast, standingOut } from "../../ui/widgets/colours.js";
import { enlarge } from "../../ui/widgets/look.js";
import { enlargeType, fitCells, isOfRows, placeOf, roomOfData, SIZES } from "../../ui/widgets/sizes.js";
import { identify, meant } from "../../ui/widgets/traces.js";

test("a layout enlarged is exactly as wide as its place", () => {
  for (const size of [SIZES.column, SIZES.columns, SIZES.slide]) {
    const { width, zoom } = placeOf(size);
    assert.ok(Math.abs((width * zoom) / 96 - size.width) < 1e-12); // inches
  }
});

test("a slide has a height, a page has a greatest one", () => {
  assert.equal(placeOf(SIZES.slide).height, 360); // 7.5 inches of 96 pixels, halved by a zoom of 2
  assert.equal(placeOf(SIZES.columns).height, undefined);
  assert.equal(placeOf(SIZES.columns).most, 907); // 240 mm
});

test("no type is smaller than the least, wherever it is set", () => {
  const figure = { data: [{ textfont: { size: 9 } }], layout: { xaxis: { tickfont: { size: 20 } }, annotations: [{ font: { size: 1 } }] } };
  enlargeType(figure, 12);
  assert.deepEqual(figure, { data: [{ textfont: { size: 12 } }], layout: { xaxis: { tickfont: { size: 20 } }, annotations: [{ font: { size: 12 } }] } });
});

test("numbers in cells are as large as fits, and go where nobody could read them", () => {
  const cells = { text: ["0.25"], textfont: { size: 12 } };
  fitCells(cells, 24, 1);
  assert.equal(cells.textfont.size, (0.92 * 24) / (0.56 * 4)); // four signs, each 0.56 of its height wide
  fitCells(cells, 12, 1);
  assert.equal(cells.mode, "markers");
});

test("rows do not come closer: many of them, or ranks from the first down", () => {
  assert.ok(isOfRows({ data: [], layout: { height: 900 } }, [0, 1]));
  assert.ok(isOfRows({ data: [{ type: "scatter" }], layout: { height: 450 } }, [10, 0]));
  assert.ok(!isOfRows({ data: [{ type: "heatmap" }], layout: { height: 450 } }, [10, 0]));
  assert.deepEqual([roomOfData(900, 300, true), roomOfData(450, 300, false), roomOfData(90, 300, false)], [820, 186, 40]);
});

test("contrast is that of WCAG: 21 between black and white", () => {
  assert.ok(Math.abs(contrast([0, 0, 0], [255, 255, 255]) - 21) < 1e-9);
});

test("a colour that can be seen stays, a pale one comes nearer to the text's, one that is no plain colour stays", () => {
  assert.equal(standingOut("#0000ff", "#ffffff", "#000000"), "#0000ff");
  const [pale] = [standingOut("#ffff00", "#ffffff", "#000000")];
  assert.ok(contrast(pale.match(/\d+/g).map(Number), [255, 255, 255]) >= 3);
  assert.equal(standingOut("rgba(1,2,3,0.5)", "#ffffff", "#000000"), "rgba(1,2,3,0.5)");
});

test("on stage type is large, and what a figure sets itself stays", () => {
  const layout = { font: { color: "red" }, xaxis: { tickfont: { size: 9 } }, template: { layout: { font: { color: "#000000" }, paper_bgcolor: "#ffffff00" } } };
  enlarge({ clientWidth: 1200, clientHeight: 700 }, [], layout);
  assert.deepEqual([layout.font, layout.xaxis.tickfont.size, layout.height], [{ size: 22, color: "red" }, 17, 700]);
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
