// Marks, lines, bars and words of a trace at another place of a slider.

import { barPath, inTriangle, isPlace, outline } from "./geometry.js";
import { axisOf, barsOf, barsStack, boundTo, linesOf, marksOf, pointsOf, tracesOf, triangleOf, wordsOf } from "./plotly_inside.js";
import { rewrite, shift } from "./touched.js";

// One thing of a trace; what it takes together with others is left for `last`.
export function moveTrace({ box, last }, trace, group, [kind, attribute], value) {
  if (trace.type === "bar") return stretch(box, trace, group, value);
  if (kind === "marker") return ["color", "opacity"].includes(attribute) ? recolour(group, attribute, value) : true;
  if (kind === "line") {
    for (const line of linesOf(group)) line.style.stroke = value;
    return true;
  }
  if (kind === "text") return renameMarks(box, group, value);
  if (trace.type === "scatterternary") return moveInTriangle(box, trace, group, kind, value);
  const points = pointsOf(box, trace.index);
  const live = liveOf(group, points, () => ({ x: points.map(({ x }) => x), y: points.map(({ y }) => y) }));
  live[kind] = value;
  if (trace.mode !== "lines" && live.x.length !== points.length) return false;
  last.set(group, () => drawTrace(box, trace, group));
  return true;
}

// Where the points of a drawn trace are now.
function liveOf(group, points, begin) {
  if (group.live?.points !== points) group.live = { points, ...begin() };
  return group.live;
}

// Marks of a triangle, told by their three parts; each part comes by itself.
function moveInTriangle(box, { index, a, b, c }, group, part, value) {
  const live = liveOf(group, pointsOf(box, index), () => ({ a, b, c }));
  live[part] = value;
  const { xaxis, yaxis } = triangleOf(box);
  for (const mark of marksOf(group)) {
    const { across, up } = inTriangle(["a", "b", "c"].map((one) => live[one][boundTo(mark).i]));
    mark.setAttribute("transform", `translate(${xaxis.c2p(across)},${yaxis.c2p(up)})`);
  }
  return true;
}

function drawTrace(box, trace, group) {
  const [xa, ya] = [axisOf(box, trace.xaxis), axisOf(box, trace.yaxis)];
  const { x: across, y: up } = group.live;
  const places = Array.from(across, (x, i) => [xa.c2p(x), ya.c2p(up[i])]);
  for (const mark of marksOf(group)) {
    const to = places[boundTo(mark).i];
    if (isPlace(to)) mark.setAttribute("transform", `translate(${to[0]},${to[1]})`);
  }
  for (const words of wordsOf(group)) {
    const { i, x, y } = boundTo(words);
    if (isPlace(places[i])) shift(box, words, places[i][0] - xa.c2p(x), places[i][1] - ya.c2p(y));
  }
  const [line, ...others] = linesOf(group);
  if (!line) return;
  line.setAttribute("d", outline(places, trace.line?.shape));
  for (const other of others) other.setAttribute("d", "");
}

// Whether the bars of a trace stand on the axis and on no others.
export const standsAlone = (box, { index, orientation, yaxis }) => (orientation ?? "v") === "v"
  && (!barsStack(box) || !tracesOf(box).some((one) => one.type === "bar" && one.yaxis === yaxis && one.index !== index));

function stretch(box, trace, group, heights) {
  const [xa, ya] = [axisOf(box, trace.xaxis), axisOf(box, trace.yaxis)];
  const bars = [...barsOf(group)];
  if (bars.length !== heights.length) return false;
  for (const bar of bars) {
    const { i, p0, p1, b } = boundTo(bar);
    const path = bar.querySelector("path");
    const drawn = path.getAttribute("d").match(/^M([-\d.]+),[-\d.]+V[-\d.]+H([-\d.]+)/);
    const [left, right] = drawn?.slice(1) ?? [xa.c2p(p0), xa.c2p(p1)];
    path.setAttribute("d", barPath({ left, right, foot: ya.c2p(b), top: ya.c2p(b + heights[i]) }));
  }
  return true;
}

function recolour(group, attribute, value) {
  const style = attribute === "color" ? "fill" : "opacity";
  for (const mark of marksOf(group)) {
    if (attribute === "color") mark.style.fillOpacity = 1; // the colour has its own
    mark.style[style] = typeof value === "string" || value.length === 1 ? [value].flat()[0] : value[boundTo(mark).i];
  }
  return true;
}

// The words beside marks; a mark without words from the start has no place for them.
function renameMarks(box, group, value) {
  if (!Array.isArray(value)) return false;
  const elements = new Map([...wordsOf(group)].map((one) => [boundTo(one).i, one]));
  return value.every((text, i) => (elements.has(i) ? rewrite(box, elements.get(i), text ?? "") : !text));
}
