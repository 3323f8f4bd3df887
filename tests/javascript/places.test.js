// Figures laid out for a column, a slide, a stage: what is values alone, with letters half as wide as they are high.

import assert from "node:assert/strict";
import { test } from "node:test";

import { aboveAndBelow, besideMark, boxAround, clearShift, corners, isWithin, overlap, pushedApart } from "#following/boxes.js";
import { arranged, begun, entriesOf, handOf, inCells, inRows, namedOn, PLACES, shortened, stageOf, titled } from "#following/places.js";
import { bare, numbers } from "#following/numbers.js";

const measure = (text, size) => 0.5 * size * text.length;
const fits = (most) => (text) => text.length <= most;
const room = { l: 60, t: 28, w: 280, h: 340 };
const rows = (count) => ({
  data: [{ type: "scatter", mode: "markers", x: [], y: [] }],
  layout: { height: 540, yaxis: { tickvals: Array.from({ length: count }, (_, at) => at), ticktext: Array.from({ length: count }, (_, at) => `system ${at}`), range: [count - 0.4, -0.6] } },
});
const laid = (figure, place) => {
  const drawn = begun(figure, place, measure);
  drawn.layout.height = place.height ?? 420;
  return arranged(drawn, place, room, measure);
};

test("a layout enlarged is exactly as wide as its place", () => {
  for (const [place, inches] of [[PLACES.column, 85 / 25.4], [PLACES.columns, 175 / 25.4], [PLACES.slide, 40 / 3]]) {
    assert.ok(Math.abs((place.width * place.zoom) / 96 - inches) < 1e-12);
  }
});

test("a slide has a height, a page has a greatest one; the least type is 7 points on paper, 18 pixels on a stage", () => {
  assert.deepEqual([PLACES.slide.height, PLACES.columns.height, PLACES.columns.most], [360, undefined, 907]); // 240 mm
  assert.ok(PLACES.column.least * PLACES.column.zoom * 0.75 >= 7);
  assert.ok(PLACES.columns.least * PLACES.columns.zoom * 0.75 >= 7);
  assert.equal(stageOf(1240, 600).least, 18);
});

test("the height follows the rows, and rows that no page has room for are counted in the last", () => {
  const few = laid(rows(12), PLACES.column).layout, more = laid(rows(40), PLACES.column).layout;
  assert.ok(more.height > few.height);
  assert.equal(more.yaxis.ticktext.length, 40);
  const many = laid(rows(300), PLACES.column).layout, shown = many.yaxis.ticktext.length - 1;
  assert.ok(many.height <= PLACES.column.most);
  assert.equal(many.yaxis.ticktext[shown], `and ${300 - shown} more`);
  assert.equal(many.yaxis.ticktext[0], "system 0");
  assert.deepEqual(many.yaxis.range, [shown + 0.6, -0.6]);
  assert.deepEqual(many.shapes.map(({ yref, y0, y1 }) => [yref, y0, y1]), [["y", shown - 0.5, shown + 0.6]]); // over its marks
});

test("where rows are folded, what is across is as wide as those that are shown", () => {
  const { data: [trace], layout } = rows(300), all = Array.from({ length: 300 }, (_, at) => at);
  const figure = { data: [{ ...trace, x: all.map((row) => 1000 - row), y: all }], layout: { ...layout, xaxis: {} } };
  const across = (xaxis) => laid({ ...figure, layout: { ...figure.layout, xaxis } }, PLACES.column).layout.xaxis.range;
  const shown = laid(figure, PLACES.column).layout.yaxis.ticktext.length - 1, beside = 0.06 * (shown - 1);
  assert.deepEqual(across({}), [1000 - shown + 1 - beside, 1000 + beside]);
  assert.deepEqual(across({ range: [0, 1000] }), [0, 1000]);
  assert.equal(laid(rows(12), PLACES.column).layout.xaxis?.range, undefined);
});

test("a scale with a name at some of its values is no list of rows", () => {
  const yaxis = { tickvals: [0, 25, 50, 75, 100], ticktext: ["0", "25", "50", "75", "100"], range: [-10, 110] };
  const found = laid({ data: [], layout: { height: 260, yaxis } }, { ...stageOf(900, 300) }).layout.yaxis;
  assert.deepEqual([found.range, found.folded, found.ticktext], [[-10, 110], undefined, yaxis.ticktext.toReversed()]);
});

test("names beside the axes stand apart at lines to their ends; those without room are counted", () => {
  const notes = Array.from({ length: 30 }, (_, at) => ({ text: `system ${at}`, xref: "paper", x: 1, y: at, ax: 14, ay: 0, showarrow: true, font: { size: 11 } }));
  const { annotations } = laid({ data: [], layout: { height: 260, yaxis: { range: [-1, 40] }, annotations: notes } }, stageOf(900, 300)).layout;
  const seen = annotations.filter(({ visible }) => visible !== false).toSorted((one, other) => other.y - one.y), tall = room.h;
  const at = seen.map(({ y, ay }) => ((40 - y) / 41) * tall + ay);
  assert.ok(at.slice(1).every((place, before) => place - at[before] > 18) && at.at(-1) <= tall);
  assert.equal(seen.at(-1).text, `and ${30 - seen.length + 1} more`);
});

test("a short name across is not cut, but turned", () => {
  const ticktext = ["CAM", "TOMA", "MM"], xaxis = { tickvals: [0, 1, 2], ticktext, range: [-0.5, 2.5] };
  const narrow = arranged(begun({ data: [], layout: { height: 420, xaxis } }, PLACES.column, measure), PLACES.column, { ...room, w: 80 }, measure);
  assert.deepEqual([narrow.layout.xaxis.ticktext, narrow.layout.xaxis.tickangle], [ticktext, -90]);
});

test("many long names stand two to a row of a legend before any is left out", () => {
  const entries = Array.from({ length: 7 }, (_, at) => ({ type: "bar", name: `a system with a long name, reranked ${at}`, x: [], y: [] }));
  const { data } = laid({ data: entries, layout: {} }, PLACES.column);
  assert.deepEqual(data.map(({ showlegend }) => showlegend), entries.map(() => true));
  assert.ok(data.every(({ name }, at) => name.includes("…") && name.endsWith(at)));
});

test("what shows a selection is no part of a file, and type is no smaller than the least", () => {
  const layout = { shapes: [{ name: "selection" }, {}], annotations: [{ font: { size: 4 } }] };
  const { layout: found } = begun({ data: [], layout }, PLACES.column, measure);
  assert.deepEqual(found.shapes.map(({ visible }) => visible), [false, undefined]);
  assert.equal(found.annotations[0].font.size, PLACES.column.least);
  assert.equal(begun({ data: [], layout }, handOf(300, 400), measure).layout.shapes[0].visible, undefined); // there a hand selects
  assert.equal(layout.annotations[0].font.size, 4); // the figure of the page stays
});

test("a few lines are named where they end, in their colour; bars keep a legend", () => {
  const lines = ["a", "b"].map((name, at) => ({ type: "scatter", mode: "lines", name, x: [0, 1], y: [0, at], line: { color: "red" } }));
  const { layout, entries } = begun({ data: lines, layout: {} }, PLACES.column, measure);
  assert.deepEqual(layout.annotations.map(({ text, y, font }) => [text, y, font.color]), [["a", 0, "red"], ["b", 1, "red"]]);
  assert.deepEqual(entries, []);
  const bars = lines.map((one) => ({ ...one, type: "bar" }));
  assert.equal(begun({ data: bars, layout: {} }, PLACES.column, measure).entries.length, 2);
});

test("a legend has entries where plotly would have them", () => {
  const one = { name: "a" };
  assert.equal(entriesOf({ data: [one], layout: {} }).length, 0);
  assert.equal(entriesOf({ data: [one], layout: { showlegend: true } }).length, 1);
  assert.equal(entriesOf({ data: [one, { name: "b", showlegend: false }], layout: { showlegend: false } }).length, 0);
});

test("entries stand in rows; of those without room the last row leaves place to count them", () => {
  assert.deepEqual(inRows([100, 100, 100], 220, 3), [0, 0, 1]);
  assert.deepEqual(inRows([100, 100, 100, 100, 100], 220, 2), [0, 0, 1]);
});

test("a long name loses its middle, or what it has in common with the others; markup and signs stay whole", () => {
  assert.deepEqual(shortened(["short", "a very long name"], fits(9)), ["short", "a ve…name"]);
  assert.deepEqual(shortened(["prefix_a_same_end", "prefix_b_same_end"], fits(10)), ["pref…e_end", "pref…e_end"].map((_, at) => (at ? "prefix_b_…" : "prefix_a_…")));
  assert.deepEqual(shortened(["<b>abcdefgh</b>"], fits(5)), ["<b>ab…gh</b>"]);
  assert.deepEqual(shortened(["a&lt;bcdefgh"], fits(5)), ["a&lt;…gh"]);
});

test("a title has two lines at most, broken between words", () => {
  assert.equal(titled("the mean of all scores", fits(12)), "the mean of<br>all scores");
  assert.equal(titled("depth of<br>the measure", fits(8)), "depth of<br>the m…re");
  assert.equal(titled("<b>the_name_of_a_system</b>", fits(12)), "<b>the_na…ystem</b>");
  assert.equal(titled("one two three four five six", fits(9)).split("<br>").length, 2);
});

test("cells say what fits: all, or less, or nothing", () => {
  const forms = [["0.923"], [".923"], [".92"]], place = PLACES.column;
  const found = [60, 24, 18, 9].map((across) => inCells(forms, across, place, measure));
  assert.deepEqual(found, [forms[0], forms[1], forms[2], undefined]);
  assert.deepEqual([bare(0.9949, 2), bare(-0.5, 2), bare(NaN, 2)], [".99", "−.50", "–"]);
});

test("an axis of names knows its rows, by places or by categories", () => {
  const by = { data: [{ x: ["a", "b"], y: [1, 2] }], layout: { xaxis: { type: "category" }, yaxis: {} } };
  assert.deepEqual(namedOn(by, "xaxis"), { all: ["a", "b"], places: [0, 1], texts: ["a", "b"], ends: [-0.5, 1.5], span: 2, dense: true });
  assert.equal(namedOn(by, "yaxis"), undefined);
});

test("categories that are numbers keep their places", () => {
  const depths = ["1", "3", "8", "5"], data = [{ type: "heatmap", x: depths, y: depths, z: [] }];
  const { xaxis, yaxis } = laid({ data, layout: { xaxis: { type: "category" }, yaxis: { type: "category" } } }, PLACES.column).layout;
  assert.deepEqual([xaxis.tickvals, yaxis.tickvals], [depths, depths]); // for 3 plotly would take the category "3"
});

test("rows of names in two lines are twice as high", () => {
  const long = rows(30);
  long.layout.yaxis.ticktext = long.layout.yaxis.ticktext.map((name) => `${name}<br>of a team`);
  assert.ok(laid(long, PLACES.column).layout.height > 1.5 * laid(rows(30), PLACES.column).layout.height);
});

test("a name on a ground is cut to it, or left out; one beside a mark is cut, a sentence is broken", () => {
  const note = { text: "a name of many letters", font: { size: 11 } };
  const notes = [0.5, 0.1].map((share) => ({ ...note, name: `within ${share}` }));
  const triangle = { type: "scatterternary", text: ["", note.text], meta: { within: [0, 0.5] } };
  const { layout, data } = laid({ data: [triangle], layout: { annotations: notes } }, PLACES.column);
  assert.deepEqual(layout.annotations.map(({ text, visible }) => [text, visible]), [[note.text, true], ["", false]]);
  assert.match(data[0].text[1], /^a na.*…/);
  assert.equal(laid({ data: [{ ...triangle, text: ["", "a"] }], layout: {} }, PLACES.column).data[0].text[1], "a"); // short, and whole
  const words = [{ mode: "text", text: ["  a system with a very long name  ", " b "] }, { mode: "text", text: ["a sentence of so many words that it needs two lines of them"] }];
  const found = laid({ data: words, layout: {} }, PLACES.column).data.map(({ text }) => text);
  assert.match(found[0][0], /…/);
  assert.equal(found[1][0].split("<br>").length, 2);
});

test("a legend leaves nothing out that four rows hold, and no groups of entries", () => {
  const entries = ["the share of all", "of one", "of two", "of the three together", "the others"].map((name) => ({ type: "bar", name, x: [], y: [], legendgroup: name }));
  const { data, layout } = laid({ data: entries, layout: { legend: { orientation: "v", x: 1.02 } } }, PLACES.column);
  assert.deepEqual(data.map(({ showlegend }) => showlegend), entries.map(() => true));
  assert.deepEqual([layout.legend.traceorder, layout.legend.orientation], ["normal", "h"]);
});

test("numbers come as a list or as bytes", () => {
  assert.deepEqual(numbers({ dtype: "i1", bdata: "AQID" }), [1, 2, 3]);
  assert.deepEqual(numbers([1, null]), [1, NaN]);
});

test("boxes overlap where no line parts them, turned ones too", () => {
  const level = boxAround([0, 0], { width: 10, height: 10 });
  assert.ok(overlap(level, boxAround([9, 0], { width: 10, height: 10 })));
  assert.ok(!overlap(level, boxAround([10, 0], { width: 10, height: 10 })));
  const turned = corners({ x: -5, y: -5, width: 10, height: 10 }, { a: Math.SQRT1_2, b: Math.SQRT1_2, c: -Math.SQRT1_2, d: Math.SQRT1_2, e: 11, f: 10 });
  assert.ok(!overlap(level, turned)); // though the upright box around it would
});

test("a name goes to the nearest place that is clear and within the frame, else nowhere", () => {
  const frame = { left: 0, top: 0, right: 100, bottom: 100 }, size = { width: 20, height: 10 };
  const place = clearShift(size, [50, 50], besideMark(size), [], frame);
  assert.ok(isWithin(boxAround([50 + place[0], 50 + place[1]], size), frame));
  assert.deepEqual(clearShift(size, [50, 50], aboveAndBelow(size), [boxAround([50, 50], size)], frame), [0, 10]);
  assert.equal(clearShift(size, [50, 50], aboveAndBelow(size), [boxAround([50, 50], { width: 100, height: 100 })], frame), undefined);
});

test("places are pushed apart, no further than the ends", () => {
  assert.deepEqual(pushedApart([0, 0.1, 5], 1, 0, 5), [0, 1, 5]);
  assert.deepEqual(pushedApart([0, 0, 4.9, 5], 1, 0, 5), [0, 1, 4, 5]);
});

test("places on a logarithmic axis are told apart by their logarithms, and written as values", () => {
  const axis = { type: "log", tickvals: [1, 10, 100], ticktext: ["1", "10", "100"], range: [0, 2] };
  const named = namedOn({ data: [], layout: { xaxis: axis } }, "xaxis");
  assert.deepEqual([named.places, named.span, named.dense], [[0, 1, 2], 2, false]);
});

test("of many rows the page names some, a place all that fit", () => {
  const many = rows(300), names = many.layout.yaxis.ticktext.toReversed();
  const page = { tickvals: [290, 299], ticktext: ["system 9", "system 0"], range: [-0.6, 299.4] };
  const { layout } = laid({ ...many, layout: { ...many.layout, yaxis: page, meta: { rows: { yaxis: names } } } }, PLACES.column);
  const shown = layout.yaxis.ticktext.length - 1;
  assert.deepEqual([layout.yaxis.ticktext[shown - 1], layout.yaxis.ticktext[shown]], ["system 0", `and ${300 - shown} more`]);
});

test("rows of marks have room for the names under them, or the marks are smaller", () => {
  const marks = { mode: "markers+text", textposition: "bottom center", x: [0, 0, 0], y: [0, 1, 2], text: ["a", "b", "c"], marker: { size: 14 } };
  const named = (/** @type {number} */ count) => ({ data: [structuredClone(marks)], layout: { height: 540, yaxis: { range: [-0.5, count - 0.5] } } });
  const tall = laid(named(20), PLACES.column);
  assert.ok(tall.layout.height - (420 - room.h) >= 20 * (14 + PLACES.column.type));
  assert.equal(tall.data[0].marker.size, 14);
  assert.ok(laid(named(20), PLACES.slide).data[0].marker.size < 14);
});

test("rows under a curve have the room that they want, where the height is given", () => {
  const under = rows(13);
  Object.assign(under.layout, { yaxis2: { domain: [0.5, 1] } });
  under.layout.yaxis.domain = [0, 0.45];
  const { yaxis, yaxis2 } = laid(under, { ...PLACES.slide, height: 400 }).layout;
  assert.equal(yaxis.ticktext.length, 13);
  assert.ok(yaxis.domain[1] > 0.45 && yaxis2.domain[0] > yaxis.domain[1] && yaxis2.domain[1] === 1);
});

test("on a stage marks and lines are larger as its type is", () => {
  const line = { mode: "lines+markers", x: [0], y: [0], line: { width: 2 }, marker: { size: [6, 8] } };
  const [{ marker, line: drawn }] = begun({ data: [line], layout: {} }, stageOf(1240, 600), measure).data;
  assert.deepEqual([marker.size, drawn.width], [[9, 12], 3]);
});
