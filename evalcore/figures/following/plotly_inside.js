// All that we read of a figure and plotly.js does not promise: names of its own, which a new version may drop. No other
// module knows one (eslint.config.js sees to that), and tests/browser/test_plotly_inside.py fails where one is gone.

import { corners } from "./boxes.js";

// --- what plotly made of a figure -------------------------------------------------------------------------------------

export const isDrawn = (box) => Boolean(box?._fullLayout);
export const tracesOf = (box) => box._fullData;
export const traceAt = (box, at) => box._fullData?.[at];
export const pointsOf = (box, at) => box.calcdata[at]; // of a trace: x and y on linear axes
export const noteAt = (box, at) => box._fullLayout.annotations[at];
export const shapeAt = (box, at) => box._fullLayout.shapes[at];
export const barsStack = (box) => box._fullLayout.barmode === "stack";
export const configOf = (box) => box._context;
export const roomOf = (box) => box._fullLayout._size; // what the margins leave: l, t, w, h
export const legendHeight = (box) => box._fullLayout.legend?._height ?? 0;
export const triangleOf = (box) => box._fullLayout.ternary._subplot; // x0, y0 and two axes

// --- axes -------------------------------------------------------------------------------------------------------------

export const axisNames = (box) => Object.keys(box._fullLayout).filter((name) => /^[xy]axis\d*$/.test(name));
export const axisNamed = (box, name) => box._fullLayout[name]; // with range and type; to pixels: r2p, c2p, d2p, back: p2r, along itself: d2l, back: l2d
export const axisOf = (box, id) => axisNamed(box, nameOfAxis(id));
export const nameOfAxis = (id) => `${id[0]}axis${id.slice(1)}`; // x2 is xaxis2
export const startOf = (axis) => axis._offset; // pixels from the edge of the figure
export const lengthOf = (axis) => axis._length;
export const ticksOf = (axis) => axis._vals;

// --- what is drawn ----------------------------------------------------------------------------------------------------

export const boundTo = (element) => element.__data__; // a mark's, a bar's or a tick's own: i, x, y, p0, p1, b

export const traceGroups = (box) => new Map([...box.querySelectorAll(".scatterlayer > .trace, .barlayer > .trace")]
  .map((group) => [boundTo(group)?.[0]?.trace.index, group]));
export const noteGroups = (box) => new Map([...box.querySelectorAll(".infolayer .annotation")]
  .map((group) => [Number(group.dataset.index), group]));

export const marksOf = (group) => group.querySelectorAll(".points > path.point");
export const barsOf = (group) => group.querySelectorAll(".points > .point");
export const wordsOf = (group) => group.querySelectorAll(".text > g.textpoint");
export const linesOf = (group) => group.querySelectorAll(".lines > path.js-line");
export const shapePath = (box, at) => box.querySelector(`.shapelayer path[data-index="${at}"]`);
export const titleOf = (box, id) => box.querySelector(`.infolayer .g-${id}title text`);
export const tickParts = (box, id) => box.querySelectorAll(`g.${id}tick, path.${id}grid`);
export const textLines = (text) => [...text.querySelectorAll("tspan.line")]; // of a text of several

// The parts of a note: what is around its words, the words, both together, its line and the group of that.
export const noteParts = (group) => ({
  get frame() { return group.querySelector(".bg"); },
  get text() { return group.querySelector(".annotation-text"); },
  get words() { return group.querySelector(".annotation-text-g"); },
  get arrow() { return group.querySelector(".annotation-arrow-g"); },
  get line() { return group.querySelector(".annotation-arrow-g path"); },
});

// What lies under the mouse and listens to it.
export const listens = (element) => Boolean(element.closest(".draglayer, .ternarylayer"));

// --- texts of a figure that does not move -----------------------------------------------------------------------------

// All texts that can be seen: what each is, by what the figure knows it, and the corners of its box within the figure.
export function textsOf(box) {
  const { left, top } = box.getBoundingClientRect();
  return [...box.querySelectorAll("svg text")].flatMap((text) => {
    const what = whatIs(box, text), own = text.getBBox();
    if (!text.textContent.trim() || !own.width || !text.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || what.hidden) return [];
    const matrix = text.getScreenCTM().translate(0, 0);
    [matrix.e, matrix.f] = [matrix.e - left, matrix.f - top];
    return [{ ...what, text: text.textContent, size: typeOf(text), box: corners(own, matrix, textLines(text).length || 1) }];
  });
}

function whatIs(box, text) {
  const within = (selector) => text.closest(selector);
  if (within(".annotation")) return ofNote(box, Number(within(".annotation").dataset.index));
  if (within("[class^=legend]")) return { kind: "legend" };
  if (within(".colorbar")) return { kind: "scale" };
  if (within(".textpoint")) return ofPoint(box, within(".textpoint"), within(".trace"));
  const tick = text.parentElement.classList[0]?.match(/^([xy]\d*)tick$/);
  if (tick && within(".cartesianlayer")) return { kind: "tick", axis: `${tick[1][0]}axis${tick[1].slice(1)}`, value: boundTo(text.parentElement)?.x };
  return { kind: tick ? "tick" : /title$/.test(text.classList[0] ?? "") ? "title" : "point" };
}

function ofNote(box, index) {
  const { xref, yref, showarrow, opacity } = box._fullLayout.annotations[index];
  const free = xref !== "paper" && (showarrow || yref !== "paper");
  return { kind: "note", index, moves: free ? "freely" : "with margins", hidden: opacity === 0 };
}

// Of words beside a mark: those of marks out of the axes are cut off with these.
function ofPoint(box, point, group) {
  const { index, xaxis, yaxis, cliponaxis, type } = boundTo(group)[0].trace, { i, x, y } = boundTo(point);
  const out = (axis, at) => axis && (axis.c2p(at) < -1 || axis.c2p(at) > axis._length + 1);
  const hidden = type === "scatter" && cliponaxis && (out(axisOf(box, xaxis), x) || out(axisOf(box, yaxis), y));
  return { kind: "point", index: i, trace: index, moves: "freely", hidden };
}

// Where the middles of all marks are, within the figure.
export function marksSeen(box) {
  const { left, top } = box.getBoundingClientRect();
  return [...box.querySelectorAll(".scatterlayer .points > path.point")].map((mark) => {
    const { e, f } = mark.getScreenCTM();
    return [e - left, f - top];
  });
}

const typeOf = (text) => parseFloat(getComputedStyle(text.querySelector("tspan") ?? text).fontSize);
