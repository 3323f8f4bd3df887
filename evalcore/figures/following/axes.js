// Axes hold still while a slider moves, and after; where a mark would leave them, they give way by a step.

import { widened } from "./geometry.js";
import { axisNamed, axisNames, isDrawn, nameOfAxis, traceAt } from "./plotly_inside.js";

export const linearAxes = (box) => axisNames(box).filter((name) => axisNamed(box, name).type === "linear");

// Keeps the axes of a figure from here on: `held` has of each the wider range that it is to have, if any.
export function hold(box) {
  box.held ??= {};
  for (const name of linearAxes(box)) box.held[name] ??= null;
}

export const widen = (box, changes) => changes.some((one) => widenFor(box, one));

function widenFor(box, { keys: [part, index, kind], value }) {
  const trace = part === "data" && traceAt(box, index);
  if (!trace || !["x", "y"].includes(kind) || trace.mode === "lines" || !Array.isArray(value)) return false;
  const name = trace[`${kind}axis`] && nameOfAxis(trace[`${kind}axis`]);
  const { range, type, autorange } = (name && axisNamed(box, name)) ?? {};
  if (type !== "linear" || trace.visible !== true) return false;
  if (!autorange && String(range) !== box.kept?.[name]) return false; // a reader's choice, or the figure's own
  const wide = widened(range, value);
  if (wide) box.held[name] = wide;
  return Boolean(wide);
}

// The axes that are held, in a layout that is to be drawn.
export function keepAxes(box, layout) {
  for (const [name, wider] of Object.entries(box.held ?? {})) {
    const { range: now, autorange } = (isDrawn(box) && axisNamed(box, name)) || {};
    if (!now || box.layout[name]?.folded) continue; // else a stage's rows would be all that its page has
    const range = [...(wider ?? now)];
    if (wider || autorange) (box.kept ??= {})[name] = String(range); // else it is a reader's
    layout[name] = { ...layout[name], range, autorange: false, uirevision: String(range) };
    box.held[name] = null;
  }
}
