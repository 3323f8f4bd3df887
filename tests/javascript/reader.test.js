// The reader of a path tells a page what it shows at a value: figures that are there, texts, columns of tables.

import assert from "node:assert/strict";
import { test } from "node:test";

import { play } from "#following/reader.js";

const track = (keys, values) => ({ keys, values, at: [0, 1] });
const PATH = {
  positions: [0, 1],
  figures: { map: [track(["data", 0, "name"], ["a", "b"])], absent: [track(["data", 0, "name"], ["a", "b"])] },
  tables: { scores: [track(["0"], [["0.1"], ["0.2"]])] },
  texts: [{ ...track([], ["low", "high"]), place: "headline" }],
};

test("a page is told all that a path has at a value, of the figures those that it shows", () => {
  const told = [];
  const page = {
    figure: (key) => (key === "map" ? "its box" : undefined),
    change: (box, changes) => { told.push([box, changes.map(({ keys, value }) => [keys.join(), value])]); return false; },
    say: (key, text) => told.push([key, text]),
    fill: (key, column, values) => told.push([key, column, values]),
  };
  assert.equal(play(PATH, 1, page), false); // as the page could not change its figure
  assert.deepEqual(told, [["its box", [["data,0,name", "b"]]], ["headline", "high"], ["scores", "0", ["0.2"]]]);
  assert.equal(play(PATH, 1, { ...page, change: () => true, fill: undefined }), true);
});
