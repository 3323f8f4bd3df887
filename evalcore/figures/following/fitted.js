// A figure laid out for a place: drawn out of sight, looked at, and drawn again until no text is cut or lies on another one.

import { aboveAndBelow, around, besideMark, beyond, clearShift, covered, isWithin, overlap } from "./boxes.js";
import { arranged, begun, inCells, isBeside, PHONE } from "./places.js";
import { bare, numbers } from "./numbers.js";
import { axisNamed, axisOf, marksSeen, nameOfAxis, roomOf, textsOf, ticksOf } from "./plotly_inside.js";

const TIMES = 4; // that a figure is drawn at most, before what has no room is left out
const SIDES = ["l", "t", "r", "b"];

/** The figure for a place, as plotly is to draw it in `layout.width` and `layout.height`. */
export async function fitted(Plotly, given, place, family) {
  const measure = measureIn(family);
  const trial = Object.assign(document.createElement("div"), { ariaHidden: "true" });
  trial.style = "position: fixed; left: -9999px; top: 0";
  document.body.append(trial);
  const draw = async (figure) => {
    const { data, layout } = structuredClone(figure);
    await Plotly.react(trial, { data, layout: { ...layout, autosize: false }, config: { staticPlot: true } });
  };
  try {
    const figure = begun(given, place, measure);
    const usual = (given.layout.height ?? 450) - 80;
    figure.layout.height = place.height ?? Math.min(usual + 80, place.most);
    await draw(figure);
    holdRange(trial, figure.layout);
    figure.room = await settledRoom(trial, figure, draw, (room, tried) => arranged(tried, place, room, measure, usual));
    arranged(figure, place, figure.room, measure, usual);
    Plotly.purge(trial); // else a legend that is no more keeps its margin
    for (let time = 0; time < TIMES; time++) {
      await draw(figure);
      if (!mended(trial, figure, place, measure, time === TIMES - 1)) break;
    }
    return figure;
  } finally {
    Plotly.purge(trial);
    trial.remove();
  }
}

// What margins leave once names are as short as the place has them: whole ones would take most of it.
async function settledRoom(box, figure, draw, arrange) {
  const first = { ...roomOf(box) }, tried = structuredClone(figure);
  arrange(first, tried);
  await draw(tried);
  if (widened(box, tried, textsOf(box), frameOf(tried))) await draw(tried);
  const { l, t, w, h } = roomOf(box), legend = tried.layout.showlegend ? tried.layout.margin.t - first.t : 0;
  figure.layout.height = tried.layout.height;
  for (const side of ["l", "r"]) figure.layout.margin[side] = tried.layout.margin[side];
  return { ...first, l, t: t - legend, w, h: h + legend };
}

// An axis beside which names stand keeps its range: else each name that is moved would move all others.
function holdRange(box, layout) {
  const beside = (layout.annotations ?? []).filter(({ xref, yref = "y" }) => xref === "paper" && yref !== "paper");
  for (const id of new Set(beside.map(({ yref = "y" }) => nameOfAxis(yref)))) {
    if (layout[id] && !layout[id].range) Object.assign(layout[id], { range: [...axisNamed(box, id).range], autorange: false });
  }
}

/** The same in no time, for a figure that moves: with the margins that it has anyway, and no look at what became of it. */
export function refitted(given, place, family, room) {
  const measure = measureIn(family), figure = begun(given, place, measure);
  figure.layout.height = place.height;
  return arranged(figure, place, room, measure, (given.layout.height ?? 450) - 80);
}

function measureIn(family) {
  const pen = document.createElement("canvas").getContext("2d");
  return (text, size) => {
    pen.font = `${size}px ${family}`;
    return pen.measureText(text).width;
  };
}

// Whether anything had to be changed: numbers in cells, margins, names that have no room where they stand.
function mended(box, figure, place, measure, last) {
  const frame = frameOf(figure);
  if (writeCells(box, figure, place, measure) || writeMaps(box, figure, place, measure)) return true;
  const texts = textsOf(box);
  if (!last && widened(box, figure, texts, frame)) return true;
  return placed(box, figure, texts, frame);
}

const frameOf = ({ layout: { width, height } }) => ({ left: 0, top: 0, right: width, bottom: height });

function writeCells(box, { data }, place, measure) {
  const traces = data.filter(({ meta }) => meta?.cells && !meta.written), maps = data.filter(({ type }) => type === "heatmap");
  for (const trace of traces) {
    const [across, down] = cellOf(box, trace);
    const forms = trace.meta.cells === "values" ? [trace.text, ...shorterForms(trace, maps[0])] : [trace.text];
    const form = down < 1.1 * place.least ? undefined : inCells(forms, across, place, measure);
    trace.meta = { ...trace.meta, written: true };
    if (form) trace.text = form;
    else {
      trace.mode = "markers";
      const above = place.width < PHONE && { orientation: "h", y: 1, yanchor: "bottom" };
      const scale = { thickness: 8, outlinewidth: 0, tickfont: { size: place.least }, nticks: 5, ...above };
      for (const map of maps) Object.assign(map, { showscale: true, colorbar: { ...scale, ...map.colorbar } });
    }
  }
  return traces.length > 0;
}

// The values of the cells without a leading zero, to three decimals and to two.
function shorterForms({ x, y }, { z }) {
  const wide = z.shape ? Number(z.shape.split(",")[1]) : z[0].length, values = numbers(z.shape ? z : z.flat());
  const rows = numbers(y), cells = numbers(x).map((column, at) => values[rows[at] * wide + column]);
  return [3, 2].map((decimals) => cells.map((value) => bare(value, decimals)));
}

// What is written in the cells of a heat map itself: in type that can be read, or not at all.
function writeMaps(box, { data }, place, measure) {
  const maps = data.filter(({ type, texttemplate, meta }) => type === "heatmap" && texttemplate && !meta?.written);
  for (const map of maps) {
    const [across, down] = cellOf(box, map), texts = map.text?.flat?.() ?? [];
    const whole = texts.map((text) => (/^-?\d+\.\d+$/.test(text) ? String(Math.round(text)) : text));
    const form = down < place.least ? undefined : inCells([texts, whole], across, place, measure);
    map.meta = { ...map.meta, written: true };
    if (!form) delete map.texttemplate;
    else map.textfont = { ...map.textfont, size: place.least };
    if (form === whole) map.text = map.text.map((row) => row.map((_, at) => whole[map.text.indexOf(row) * row.length + at]));
  }
  return maps.length > 0;
}

// Pixels of a cell across and down.
function cellOf(box, { xaxis = "x", yaxis = "y" }) {
  return [axisOf(box, xaxis), axisOf(box, yaxis)].map((axis) => Math.abs(axis.c2p(1) - axis.c2p(0)));
}

// Margins for what stands at a side and would be cut.
function widened(box, figure, texts, frame) {
  const most = Object.fromEntries(SIDES.map((side) => [side, 0]));
  for (const { box: corners, moves } of texts) {
    if (moves === "freely") continue;
    const by = beyond(corners, frame);
    for (const side of SIDES) most[side] = Math.max(most[side], by[side]);
  }
  const sides = SIDES.filter((side) => most[side] > 0);
  const { l, t, w, h } = roomOf(box), { width, height } = figure.layout;
  const now = { l, t, r: width - l - w, b: height - t - h };
  const room = { l: w, r: w, t: h, b: h };
  const able = sides.filter((side) => most[side] + 2 < room[side] - 60);
  figure.layout.margin = { ...figure.layout.margin, ...Object.fromEntries(able.map((side) => [side, now[side] + most[side] + 2])) };
  return able.length > 0;
}

const RANK = ["title", "legend", "scale", "tick", "note", "point"]; // who has a place first

// Each text, those first that matter most, where it is clear; a name finds another place beside its mark, a note above or
// below, and what has none is left out.
function placed(box, figure, texts, frame) {
  const taken = [], marks = marksSeen(box);
  let changed = false;
  const order = texts.toSorted((one, other) => RANK.indexOf(one.kind) - RANK.indexOf(other.kind));
  for (const text of order) {
    const clear = isWithin(text.box, frame) && !taken.some((one) => overlap(one, text.box));
    const better = clear && coversMarks(figure, text, marks) && elsewhere(figure, text, taken, frame, marks);
    if (better) changed = true;
    if (clear) taken.push(better || text.box);
    else {
      changed = true;
      const now = elsewhere(figure, text, taken, frame, marks);
      if (now) taken.push(now);
      else leftOut(box, figure, text);
    }
  }
  return changed;
}

// Whether a name with a line to its mark lies on marks: it may find a place where it does not, and stays where there is none.
function coversMarks(figure, { kind, index, box }, marks) {
  const tried = figure.tried ??= new Set();
  if (kind !== "note" || !pointing(figure.layout.annotations[index]) || tried.has(index) || !covered(around(box), marks)) return false;
  tried.add(index);
  return true;
}

// Whether a note stands at a mark, on any side of it.
const pointing = (note) => note.showarrow !== false && !isBeside(note);

function elsewhere(figure, { kind, index, box }, taken, frame, marks) {
  const note = kind === "note" && figure.layout.annotations[index];
  if (!note) return undefined;
  const { left, top, right, bottom } = around(box), size = { width: right - left, height: bottom - top };
  const middle = [(left + right) / 2, (top + bottom) / 2], points = pointing(note), level = isBeside(note) ? note.ay : 0;
  const from = points ? [middle[0] - (note.ax ?? 0), middle[1] - (note.ay ?? 0)] : [middle[0], middle[1] - level];
  const shift = clearShift(size, from, points ? besideMark(size) : aboveAndBelow(size), taken, frame, points ? marks : []);
  if (!shift) return undefined;
  if (points) Object.assign(note, { ax: shift[0], ay: shift[1] });
  else if (isBeside(note)) note.ay = shift[1];
  else note.yshift = (note.yshift ?? 0) - shift[1];
  return box.map(([x, y]) => [x - middle[0] + from[0] + shift[0], y - middle[1] + from[1] + shift[1]]);
}

function leftOut(box, figure, { kind, index, axis, value, trace, text }) {
  const { data, layout } = figure;
  (figure.leftOut ??= []).push(text);
  if (kind === "note") layout.annotations[index].visible = false;
  else if (kind === "tick" && layout[axis]) dropTick(box, layout, axis, value);
  else if (kind === "scale") dropOfScale(data, text);
  else if (kind === "point" && trace === undefined) for (const map of data) delete map.texttemplate; // of a cell
  else if (kind === "point") data[trace].text = Array.from(data[trace].text, (one, at) => (at === index ? "" : one));
}

function dropOfScale(data, text) {
  for (const { colorbar } of data) if (Array.isArray(colorbar?.tickvals)) colorbar.tickvals = colorbar.tickvals.filter((one) => String(one) !== text);
}

function dropTick(box, layout, id, value) {
  const axis = layout[id], drawn = axisNamed(box, id), ticks = ticksOf(drawn);
  // A tick knows where it is along its axis, which of a logarithm or a name is another number than its value.
  const [values, texts] = axis.ticktext ? [Array.from(axis.tickvals), axis.ticktext] : [ticks.map(({ x }) => drawn.l2d(x)), ticks.map(({ text }) => text)];
  const places = values.map((one) => drawn.d2l(one));
  const kept = places.flatMap((place, at) => (place !== value && ticks.some(({ x }) => x === place) ? [at] : []));
  Object.assign(axis, { tickmode: "array", tickvals: kept.map((at) => values[at]), ticktext: kept.map((at) => texts[at]) });
}
