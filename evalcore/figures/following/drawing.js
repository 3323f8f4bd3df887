// Figures of a page without a server: as the file has them, and at other places of a slider.

import { hold, keepAxes } from "./axes.js";
import { asGiven, setIn } from "./changes.js";
import { movedInPlace } from "./figures.js";
import { dressed } from "./look.js";
import { configOf, traceAt } from "./plotly_inside.js";
import { forget } from "./touched.js";

export const FIGURES = ".plotly-graph-div";
const UNDER_THE_MOUSE = new Set(["customdata", "hovertemplate", "hovertext", "hoverinfo"]);
const specs = new WeakMap(); // each figure as the file has it

export const asMade = (box) => specs.get(box);

export function keepSpecs() {
  for (const box of document.querySelectorAll(`.view ${FIGURES}`)) {
    specs.set(box, structuredClone({ data: box.data, layout: box.layout }));
  }
}

export function paint(box, changes) {
  box.wanted = changes;
  if (!box.clientWidth) return true; // out of sight: drawn when it is shown
  const seen = changes.filter(({ keys }) => !isUnderTheMouse(box, keys));
  hold(box);
  if (!box.drawing && movedInPlace(box, seen)) box.unsettled = true;
  else redraw(box);
  return true;
}

function isUnderTheMouse(box, [part, index, kind]) {
  if (part !== "data") return false;
  const { type, mode } = traceAt(box, index) ?? {};
  return UNDER_THE_MOUSE.has(kind) || (kind === "text" && type === "scatter" && !mode?.includes("text"));
}

// What was moved in place is drawn anew, for hover and zoom.
export function settleFigures(view) {
  for (const box of view.querySelectorAll(FIGURES)) if (box.unsettled) redraw(box);
}

export function redrawAll(within) {
  for (const box of within?.querySelectorAll(FIGURES) ?? []) redraw(box);
}

// One drawing at a time, always of what is wanted last.
async function redraw(box) {
  box.again = true;
  if (box.drawing || !box.clientWidth) return;
  box.drawing = true;
  try {
    while (box.again) {
      box.again = box.unsettled = false;
      const { data, layout } = await figureOf(box);
      await window.Plotly.react(box, data, layout, configOf(box));
      forget(box);
    }
  } finally {
    box.drawing = false;
  }
}

// The figure as it is wanted: as the file has it, at another place of a slider, in the look of the stage.
function figureOf(box) {
  const figure = structuredClone(asMade(box));
  if (box.wanted) {
    setIn(figure, box.wanted.map((one) => ({ keys: one.keys, value: asGiven(box, one) })));
    hold(box);
    keepAxes(box, figure.layout);
  }
  return dressed(box, figure);
}
