// Draws a figure for a place, and says what is wrong with it there: see test_places.py.

import { around, isWithin, overlap } from "#following/boxes.js";
import { fitted } from "#following/fitted.js";
import { handOf, PLACES, stageOf, unitOf } from "#following/places.js";
import { axisOf, boundTo, isDrawn, lengthOf, pointsOf, roomOf, startOf, textsOf, tracesOf } from "#following/plotly_inside.js";

const FAMILY = '"Source Sans", sans-serif';
const AXIS = { automargin: true, showgrid: false };
const LOOK = { font: { family: FAMILY, color: "#0e1620" }, paper_bgcolor: "#ffffff", plot_bgcolor: "#ffffff", xaxis: AXIS, yaxis: AXIS };
// Pixels that windows of 1280 x 720 and 1920 x 1080 leave a figure, and a hand.
const stage = (innerWidth, innerHeight) => stageOf(innerWidth - 32, innerHeight * 0.82, unitOf({ innerWidth, innerHeight }));
const ALL = { ...PLACES, stage: stage(1280, 720), "large stage": stage(1920, 1080), phone: stageOf(374, 560), hand: handOf(342, 480), tablet: handOf(756, 560) };
const [EMPTY, NARROW] = [0.4, 0.42]; // of an axis, from its end to the first mark; of the width, what the data have at least
const ROW = 1.5; // heights of a name that it may stand from its mark without a line
const BACK_ROW = 18 / 720; // of a screen's height, the least type on a stage

window.wrongIn = async ({ data, layout: asked }, name) => {
  const place = ALL[name];
  const figure = await fitted(window.Plotly, { data, layout: { ...asked, font: { family: FAMILY }, template: { layout: LOOK } } }, place, FAMILY);
  const { width, height } = figure.layout, box = document.createElement("div");
  for (const before of document.body.children) window.Plotly.purge(before);
  document.body.replaceChildren(box);
  await window.Plotly.newPlot(box, figure.data, figure.layout, { staticPlot: true });
  const texts = textsOf(box), frame = { left: 0, top: 0, right: width, bottom: height };
  const named = ({ kind, text }) => `${kind} "${text}"`;
  const outside = texts.filter((one) => !isWithin(one.box, frame)).map((one) => `${named(one)} leaves the frame`);
  const on = texts.flatMap((one, at) => texts.slice(0, at).filter((other) => overlap(one.box, other.box)).map((other) => `${named(one)} lies on ${named(other)}`));
  const least = /stage/.test(name) ? BACK_ROW * (place.height / 0.82) : place.least;
  const small = texts.filter(({ size }) => size < least - 0.01).map((one) => `${named(one)} has type of ${one.size}`);
  const found = { wrong: [...outside, ...on, ...small, ...cutMarks(box, frame), ...farNames(box, figure, texts), ...emptyAxes(box, figure), ...narrowed(box, width), ...sameColours(box, figure)], leftOut: figure.leftOut ?? [], texts: texts.length, width, height };
  return found;
};

const axesOf = ({ layout }) => Object.keys(layout).filter((id) => /^[xy]axis\d*$/.test(id)).map((id) => id.replace("axis", ""));
const span = (axis) => ({ low: startOf(axis), high: startOf(axis) + lengthOf(axis) });

// Marks whose middle is in the axes and which are cut at their edge, or at that of the frame.
function cutMarks(box, frame) {
  const { left, top } = box.getBoundingClientRect(), wrong = new Set();
  for (const mark of box.querySelectorAll(".scatterlayer .points > path.point")) {
    const { trace: { cliponaxis, name, opacity, xaxis, yaxis } } = boundTo(mark.closest(".trace"))[0], at = mark.getBoundingClientRect();
    if (!xaxis || opacity === 0 || !at.width || getComputedStyle(mark).opacity === "0" || !mark.checkVisibility()) continue;
    const [across, up] = [span(axisOf(box, xaxis)), span(axisOf(box, yaxis))], edges = { left: across.low, right: across.high, top: up.low, bottom: up.high };
    const own = [[at.left - left, at.top - top], [at.right - left, at.bottom - top]], middle = [0, 1].map((side) => (own[0][side] + own[1][side]) / 2);
    if (within([middle], edges) && !within(own, cliponaxis === false ? frame : edges)) wrong.add(`a mark of ${name} is cut`);
  }
  return [...wrong];
}

const within = (points, { left, right, top, bottom }) => points.every(([x, y]) => x >= left - 1 && x <= right + 1 && y >= top - 1 && y <= bottom + 1);

// Names beside the axes that stand away from the end of their line and have no line there.
function farNames(box, { layout }, texts) {
  const ends = tracesOf(box).flatMap((trace, at) => endsOf(box, trace, at));
  return texts.filter(({ kind, index }) => kind === "note" && layout.annotations[index].showarrow === false).flatMap(({ index, text, box: corners }) => {
    const { xref, yref = "y", x, font, text: name } = layout.annotations[index], { top, bottom } = around(corners);
    const own = xref === "paper" && yref !== "paper" && (x === 0 || x === 1) ? ends.filter((end) => end.name === name || (font?.color && end.colour === font.color)) : [];
    const far = Math.min(...own.map(({ down }) => Math.abs(down - (top + bottom) / 2)));
    return own.length && far > ROW * (bottom - top) ? [`note "${text}" stands ${Math.round(far)} px from its line`] : [];
  });
}

// Both ends of a line on the figure, in pixels from above.
function endsOf(box, { type, mode, line, name, yaxis, visible }, at) {
  if (type !== "scatter" || !/lines/.test(mode) || visible !== true || !line?.color) return [];
  const points = pointsOf(box, at).filter(({ y }) => Number.isFinite(y)), axis = axisOf(box, yaxis);
  return [points[0], points.at(-1)].filter(Boolean).map(({ y }) => ({ colour: line.color, name, down: startOf(axis) + axis.c2p(y) }));
}

// Axes of numbers that have no mark in more than a share of their length, beyond the last one. Two that lie over each other,
// or have one scale, count together.
function emptyAxes(box, figure) {
  const seen = reached(box, figure), all = {};
  for (const id of axesOf(figure).filter((one) => seen[one])) {
    const axis = axisOf(box, id), length = lengthOf(axis), { low, high } = seen[id];
    if (axis.type === "category" || axis.visible === false) continue;
    const scale = `${id[0]} ${axisOf(box, axis.overlaying || id).range}`;
    all[scale] = { id, low: Math.min(all[scale]?.low ?? 1, low / length), high: Math.max(all[scale]?.high ?? 0, high / length) };
  }
  const empty = ({ low, high }) => 1 - (Math.min(high, 1) - Math.max(low, 0));
  return Object.values(all).filter((one) => empty(one) > EMPTY).map((one) => `axis ${one.id} is empty on ${Math.round(100 * empty(one))}%`);
}

// The pixels of each axis from the first to the last mark, bar, line, map, note or shape of its own.
function reached(box, { layout }) {
  const seen = {};
  const see = (id, ...values) => {
    const axis = axisOf(box, id);
    if (!axis) return; // of a trace without a point
    for (const one of values.map((value) => axis.c2p(value)).filter(Number.isFinite)) {
      seen[id] = { low: Math.min(seen[id]?.low ?? one, one), high: Math.max(seen[id]?.high ?? one, one) };
    }
  };
  tracesOf(box).forEach((trace, at) => {
    if (trace.visible !== true || !trace.xaxis || trace.opacity === 0) return;
    if (trace.type === "heatmap") for (const id of [trace.xaxis, trace.yaxis]) seen[id] = { low: 0, high: lengthOf(axisOf(box, id)) };
    else for (const point of pointsOf(box, at)) seePoint(see, trace, point);
  });
  for (const { xref = "x", yref = "y", x0, x1, y0, y1, visible } of layout.shapes ?? []) {
    if (visible === false) continue;
    if (xref !== "paper") see(xref, x0, x1);
    if (yref !== "paper") see(yref, y0, y1);
  }
  return seen;
}

function seePoint(see, { type, xaxis, yaxis, orientation, fill }, point) {
  const ends = (value, bar) => (type === "bar" && bar ? [point.s0, point.s1, point.b, value].filter((one) => one !== undefined) : [value]);
  see(xaxis, ...ends(point.x, orientation === "h"), ...(point.xs ?? []).filter?.(Number.isFinite) ?? []);
  see(yaxis, ...ends(point.y, orientation !== "h"), point.yh ?? point.y, point.ys ?? point.y, ...(/tozeroy/.test(fill) ? [0] : []));
  if (type === "box") see(orientation === "h" ? xaxis : yaxis, point.min, point.max);
}

function narrowed(box, width) {
  const share = isDrawn(box) ? roomOf(box).w / width : 1;
  return share < NARROW ? [`the data have ${Math.round(100 * share)}% of the width`] : [];
}

// Systems that are named in one colour: beside marks, and, if their dashes are alike, on each side of the axes.
function sameColours(box, { layout }) {
  const all = new Map(), add = (where, text) => all.set(where, new Set([...(all.get(where) ?? []), text.replace(/<[^>]*>/g, "")]));
  const shown = (layout.annotations ?? []).filter(({ visible, opacity, name }) => visible !== false && opacity !== 0 && !/^within/.test(name));
  for (const { text, font, showarrow, x, xref, y } of shown) {
    const colour = font?.color ?? (showarrow !== false ? markAt(box, x, y) : undefined);
    const dash = tracesOf(box).find(({ name }) => name === text)?.line?.dash ?? "";
    if (colour) add(xref === "paper" ? `${colour} ${dash} beside ${x}` : colour, text);
  }
  return [...all].filter(([, names]) => names.size > 1).map(([colour, names]) => `${[...names].join(" and ")} are ${colour}`);
}

// The colour of a mark there.
function markAt(box, x, y) {
  for (const [at, { marker, mode }] of tracesOf(box).entries()) {
    const found = /markers/.test(mode) ? pointsOf(box, at).findIndex((point) => point.x === x && point.y === y) : -1;
    if (found >= 0) return Array.isArray(marker.color) ? marker.color[found] : marker.color;
  }
  return undefined;
}
