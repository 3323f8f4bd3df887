// @ts-check
// Where things lie in a figure, and the paths that draw them.

/** @typedef {[number, number]} Point */

const STEP = 0.2; // by how much of their length axes give way

/** @param {number[]} point */
export const isPlace = ([x, y]) => Number.isFinite(x) && Number.isFinite(y);

/** A line through points; it has a gap where one is none.
 * @param {Point[]} points @param {string} [shape] "hv" and "vh" are steps */
export function outline(points, shape) {
  const onward = { hv: (/** @type {Point} */ [x, y]) => `H${x}V${y}`, vh: (/** @type {Point} */ [x, y]) => `V${y}H${x}` }[shape ?? ""]
    ?? (([x, y]) => `L${x},${y}`);
  let [drawn, within] = ["", false];
  for (const to of points) {
    if (isPlace(to)) drawn += within ? onward(to) : `M${to[0]},${to[1]}`;
    within = isPlace(to);
  }
  return drawn;
}

/** A bar from its foot; nothing where it has no height.
 * @param {{ left: number, right: number, foot: number, top: number }} bar */
export function barPath({ left, right, foot, top }) {
  return Number.isFinite(top) && top !== foot ? `M${left},${foot}V${top}H${right}V${foot}Z` : "M0,0Z";
}

/** A line or a rectangle between two corners. @param {string} type @param {number[]} corners x0, y0, x1, y1 */
export function shapeOutline(type, [x0, y0, x1, y1]) {
  return type === "line" ? `M${x0},${y0}L${x1},${y1}` : `M${x0},${y0}H${x1}V${y1}H${x0}Z`;
}

const SHAPE = /^M([-\d.]+),([-\d.]+)(?:L|H)([-\d.]+)[,V]([-\d.]+)/;

/** The corners of what `shapeOutline` draws. @param {string} path */
export const shapeCorners = (path) => path.match(SHAPE)?.slice(1).map(Number);

/** Where a point of three parts lies in a triangle: across by c - b, up by a, of a sum of 1. @param {number[]} parts */
export function inTriangle([a, b, c]) {
  const sum = a + b + c;
  return { across: (c - b) / sum, up: a / sum };
}

/**
 * The line from a note to what it points at: from the border of its words to as near as it may come.
 * @param {Point} head what it points at
 * @param {Point} away how far from there the middle of the words is
 * @param {{ width: number, height: number, standoff: number }} words
 */
export function pointer([x, y], [ax, ay], { width, height, standoff }) {
  const reach = Math.min(width / 2 / (Math.abs(ax) || 1e-9), height / 2 / (Math.abs(ay) || 1e-9));
  const border = Math.max(1 - reach, 0);
  const near = Math.min(standoff / (Math.hypot(ax, ay) || 1), border);
  const at = (/** @type {number} */ part) => `${x + part * ax},${y + part * ay}`;
  return `M${at(border)}L${at(near)}`;
}

/** A wider range of an axis that holds all values, by a step at each end that they leave; none where they are within.
 * @param {number[]} range @param {ArrayLike<number>} values @returns {number[] | undefined} */
export function widened(range, values) {
  const [low, high] = [Math.min(...range), Math.max(...range)];
  const finite = Array.from(values).filter(Number.isFinite);
  const [least, most] = [Math.min(...finite), Math.max(...finite)];
  if (least >= low && most <= high) return undefined;
  const room = STEP * (Math.max(most, high) - Math.min(least, low));
  const wide = [least < low ? least - room : low, most > high ? most + room : high];
  return range[0] <= range[1] ? wide : wide.reverse();
}

/** Values along a slider as points of a picture 100 wide and 20 high, the largest on top.
 * @param {number[]} positions @param {number[]} values @returns {Point[]} */
export function alongTrack(positions, values) {
  const [first, last] = [positions[0], positions[positions.length - 1]];
  const finite = values.filter(Number.isFinite);
  const [low, high] = [Math.min(...finite), Math.max(...finite)];
  return positions.map((position, i) => [
    (100 * (position - first)) / (last - first),
    high > low ? 18 - (16 * (values[i] - low)) / (high - low) : 10,
  ]);
}
