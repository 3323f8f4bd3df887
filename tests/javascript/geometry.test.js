import assert from "node:assert/strict";
import { test } from "node:test";

import { alongTrack, barPath, inTriangle, outline, pointer, shapeCorners, shapeOutline, widened } from "#following/geometry.js";

test("a line through points is straight, or goes in steps", () => {
  const points = [[0, 1], [2, 3]];
  assert.equal(outline(points), "M0,1L2,3");
  assert.equal(outline(points, "hv"), "M0,1H2V3");
  assert.equal(outline(points, "vh"), "M0,1V3H2");
});

test("a line has a gap where a point has no place", () => {
  assert.equal(outline([[0, 0], [1, NaN], [2, 2], [3, 3]]), "M0,0M2,2L3,3");
});

test("a bar stands on its foot, and is nothing where it has no height", () => {
  assert.equal(barPath({ left: 1, right: 3, foot: 9, top: 4 }), "M1,9V4H3V9Z");
  assert.equal(barPath({ left: 1, right: 3, foot: 9, top: 9 }), "M0,0Z");
  assert.equal(barPath({ left: 1, right: 3, foot: 9, top: NaN }), "M0,0Z");
});

test("the corners of a line and of a rectangle are read from what draws them", () => {
  const corners = [1, 2, 30, 4.5];
  assert.deepEqual(shapeCorners(shapeOutline("line", corners)), corners);
  assert.deepEqual(shapeCorners(shapeOutline("rect", corners)), corners);
  assert.equal(shapeCorners("M0,0Q1,2"), undefined);
});

test("the corners of a triangle: all of a on top, all of b at the left, all of c at the right", () => {
  assert.deepEqual(inTriangle([2, 0, 0]), { across: 0, up: 1 });
  assert.deepEqual(inTriangle([0, 3, 0]), { across: -1, up: 0 });
  assert.deepEqual(inTriangle([0, 0, 1]), { across: 1, up: 0 });
});

test("a pointer goes from the border of the words to as far from its head as it stands off", () => {
  // Words 20 wide are left at 10 of 100; 5 of 100 are left free before the head.
  assert.equal(pointer([0, 0], [100, 0], { width: 20, height: 10, standoff: 5 }), "M90,0L5,0");
  assert.equal(pointer([0, 0], [5, 0], { width: 20, height: 10, standoff: 0 }), "M0,0L0,0"); // the words are over it
});

test("an axis gives way by a fifth of its length beyond a mark that leaves it, and stays for one that does not", () => {
  assert.equal(widened([0, 10], [3, NaN, 10]), undefined);
  assert.equal(widened([0, 10], [NaN]), undefined);
  assert.deepEqual(widened([0, 8], [5, 10]), [0, 12]);
  assert.deepEqual(widened([0, 8], [-2]), [-4, 8]);
  assert.deepEqual(widened([8, 0], [10]), [12, 0]); // downwards it stays
});

test("values along a track: across by place, the largest on top, flat where all are alike", () => {
  assert.deepEqual(alongTrack([1, 2, 5], [0, 1, 0.5]), [[0, 18], [25, 2], [100, 10]]);
  assert.deepEqual(alongTrack([0, 1], [3, 3]), [[0, 10], [100, 10]]);
});
