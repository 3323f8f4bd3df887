// @ts-check
// What of a figure can be moved in place: places, colours and names of marks, lines and notes; titles and ticks of axes.

/**
 * @typedef {{ keys: (string | number)[], values?: unknown }} Track what changes of a figure; of texts there are `values`
 * @typedef {Record<string, any>} Trace as plotly has it
 */

const NOTES = new Set(["x", "y", "ax", "ay", "xshift", "yshift", "xanchor", "yanchor", "text", "showarrow", "opacity"]);
const MARKS = new Set(["color", "opacity", "size", "symbol"]); // sizes and shapes stay until the server answers
const CORNERS = new Set(["x0", "x1", "y0", "y1"]);
const STRAIGHT = new Set(["linear", "hv", "vh", undefined]);

/** Whether a change can be made where the figure stands; `traceAt` gives a trace of it by its number, `alone` says
 * whether a trace of bars stands on the axis and on no other.
 * @param {Track} track @param {(at: number) => Trace | undefined} traceAt @param {(trace: Trace) => boolean} alone */
export function isMovable({ keys: [part, index, ...rest], values }, traceAt, alone) {
  if (part === "layout") return inLayout(String(index), rest, values);
  const trace = part === "data" ? traceAt(Number(index)) : undefined;
  if (trace?.type === "scatter") return isPlain(trace) && ofMarks(rest, values);
  if (values || rest.length !== 1) return false;
  if (trace?.type === "bar") return rest[0] === "y" && alone(trace);
  return trace?.type === "scatterternary" && ["a", "b", "c"].includes(String(rest[0]));
}

/** @param {Trace} trace */
function isPlain({ fill, error_x: across, error_y: up, line }) {
  return (fill ?? "none") === "none" && !across?.visible && !up?.visible && STRAIGHT.has(line?.shape);
}

/** @param {(string | number)[]} keys below those of a trace @param {unknown} values */
function ofMarks([kind, attribute], values) {
  if (attribute === undefined) return values ? kind === "text" : kind === "x" || kind === "y";
  if (attribute === "color" && !values) return false; // numbers on a scale of colours
  return kind === "marker" ? MARKS.has(String(attribute)) : kind === "line" && attribute === "color";
}

/** @param {string} index @param {(string | number)[]} keys below it @param {unknown} values */
function inLayout(index, [kind, attribute], values) {
  if (/^[xy]axis\d*$/.test(index)) return (kind === "title" && attribute === "text") || kind === (values ? "ticktext" : "tickvals");
  if (typeof kind !== "number") return false;
  if (index === "annotations") return NOTES.has(String(attribute));
  return index === "shapes" && CORNERS.has(String(attribute));
}
