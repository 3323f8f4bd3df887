// All that we read of a figure and plotly.js does not promise: names of its own, which a new version may drop. No other
// module knows one (eslint.config.js sees to that), and tests/browser/test_plotly_inside.py fails where one is gone.

// --- what plotly made of a figure -------------------------------------------------------------------------------------

export const isDrawn = (box) => Boolean(box?._fullLayout);
export const tracesOf = (box) => box._fullData;
export const traceAt = (box, at) => box._fullData?.[at];
export const pointsOf = (box, at) => box.calcdata[at]; // of a trace: x and y on linear axes
export const noteAt = (box, at) => box._fullLayout.annotations[at];
export const shapeAt = (box, at) => box._fullLayout.shapes[at];
export const sliderOf = (box) => box._fullLayout?.sliders?.[0]; // of an animated figure
export const barsStack = (box) => box._fullLayout.barmode === "stack";
export const configOf = (box) => box._context;
export const roomOf = (box) => box._fullLayout._size; // what the margins leave: l, t, w, h
export const legendHeight = (box) => box._fullLayout.legend?._height ?? 0;
export const triangleOf = (box) => box._fullLayout.ternary._subplot; // x0, y0 and two axes

// --- axes -------------------------------------------------------------------------------------------------------------

export const axisNames = (box) => Object.keys(box._fullLayout).filter((name) => /^[xy]axis\d*$/.test(name));
export const axisNamed = (box, name) => box._fullLayout[name]; // with range and type; to pixels: r2p, c2p, d2p, back: p2r
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
