import assert from "node:assert/strict";
import { test } from "node:test";

import { isMovable } from "#following/movable.js";

const TRACES = {
  marks: { type: "scatter" }, area: { type: "scatter", fill: "tozeroy" }, doubt: { type: "scatter", error_y: { visible: true } },
  curve: { type: "scatter", line: { shape: "spline" } }, bars: { type: "bar" }, parts: { type: "scatterternary" }, map: { type: "heatmap" },
};
const can = (name, keys, values, alone = true) => isMovable({ keys: ["data", 0, ...keys], values }, () => TRACES[name], () => alone);
const layoutCan = (keys, values) => isMovable({ keys: ["layout", ...keys], values }, () => undefined, () => true);

test("marks move, are coloured by names and have other words", () => {
  for (const keys of [["x"], ["y"], ["marker", "size"], ["marker", "opacity"]]) assert.ok(can("marks", keys));
  for (const keys of [["text"], ["marker", "color"], ["marker", "symbol"], ["line", "color"]]) assert.ok(can("marks", keys, ["a"]));
});

test("what plotly computes from numbers it has to draw: colours on a scale, widths, borders", () => {
  assert.ok(!can("marks", ["marker", "color"]));
  assert.ok(!can("marks", ["line", "width"]));
  assert.ok(!can("marks", ["marker", "line", "width"]));
  assert.ok(!can("marks", ["x"], ["a name"]));
});

test("areas, intervals, curves and maps are drawn anew", () => {
  for (const name of ["area", "doubt", "curve"]) assert.ok(!can(name, ["y"]));
  assert.ok(!can("map", ["z"]));
});

test("bars grow where they stand on the axis and on no others", () => {
  assert.ok(can("bars", ["y"]));
  assert.ok(!can("bars", ["y"], undefined, false));
  assert.ok(!can("bars", ["x"]));
  assert.ok(!can("bars", ["marker", "color"], ["red"]));
});

test("marks of a triangle move by each of their parts", () => {
  for (const part of ["a", "b", "c"]) assert.ok(can("parts", [part]));
  assert.ok(!can("parts", ["text"], ["x"]));
});

test("of axes titles and ticks, of notes and shapes places", () => {
  assert.ok(layoutCan(["xaxis", "title", "text"], ["rho"]));
  assert.ok(layoutCan(["yaxis2", "tickvals"]));
  assert.ok(layoutCan(["yaxis2", "ticktext"], ["a"]));
  assert.ok(layoutCan(["annotations", 3, "ax"]));
  assert.ok(layoutCan(["shapes", 0, "y1"]));
  for (const keys of [["xaxis", "range"], ["shapes", 0, "fillcolor"], ["annotations"], ["title", "text"]]) assert.ok(!layoutCan(keys));
});
