// Frames, packed here byte by byte as evalcore/figures/path.py says: length of the header, header, numbers of 32 bits.

import assert from "node:assert/strict";
import { test } from "node:test";

import { locate, unpack, valueAt } from "#following/frames.js";

function packed(header, numbers) {
  const text = new TextEncoder().encode(JSON.stringify(header));
  const padded = Math.ceil(text.length / 4) * 4;
  const data = new ArrayBuffer(4 + padded + 4 * numbers.length);
  new DataView(data).setUint32(0, padded, true);
  new Uint8Array(data, 4).fill(32, 0, padded).set(text);
  new Float32Array(data, 4 + padded).set(numbers);
  return data;
}

const HEADER = {
  positions: [0, 1, 2],
  tracks: [
    { keys: ["figures", "scatter", "data", 0, "y"], from: 0, length: 2 },
    { keys: ["texts", "headline"], values: ["low", "high"], at: [0, 1, 1] },
    { keys: ["tables", "2", "rows"], values: [["a"], ["b"]], at: [0, 0, 1] },
  ],
};
const path = unpack(packed(HEADER, [0, 10, 1, 20, 3, NaN]));

test("a path is read by what each track is of", () => {
  assert.deepEqual(path.positions, [0, 1, 2]);
  assert.deepEqual(path.figures.scatter[0].keys, ["data", 0, "y"]);
  assert.equal(path.texts[0].place, "headline");
  assert.deepEqual(path.tables["2"][0].keys, ["rows"]);
});

test("a value lies between two places, at one of them, or at the end that it is beyond", () => {
  assert.deepEqual(locate(path, 0.25), { low: 0, high: 1, share: 0.25 });
  assert.deepEqual(locate(path, 1), { low: 1, high: 1, share: 0 });
  assert.deepEqual(locate(path, -1), { low: 0, high: 0, share: 0 });
  assert.deepEqual(locate(path, 5), { low: 1, high: 2, share: 1 });
});

test("numbers between two places are between theirs", () => {
  assert.deepEqual(valueAt(path.figures.scatter[0], locate(path, 0.5)), [0.5, 15]);
});

test("what is no number at one of two places is taken from the nearer one", () => {
  assert.deepEqual(valueAt(path.figures.scatter[0], locate(path, 1.25)), [1.5, 20]);
  assert.deepEqual(valueAt(path.figures.scatter[0], locate(path, 1.75)), [2.5, NaN]);
});

test("texts and tables are those of the nearer place", () => {
  assert.equal(valueAt(path.texts[0], locate(path, 0.4)), "low");
  assert.equal(valueAt(path.texts[0], locate(path, 0.5)), "high");
  assert.deepEqual(valueAt(path.tables["2"][0], locate(path, 1.6)), ["b"]);
});
