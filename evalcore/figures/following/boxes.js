// @ts-check
// Boxes of text: which overlap, which leave a frame, and where there is room for one more.

/**
 * @typedef {[number, number]} Point
 * @typedef {Point[]} Box its four corners, in order
 * @typedef {{ left: number, top: number, right: number, bottom: number }} Frame
 */

const LEADING = 0.14; // of the height of a line that is empty above its letters, and below
const SLACK = 0.5; // pixels in which letters do not touch yet

/** The corners of a text as it is drawn, without the empty part of its lines; `matrix` turns and moves it.
 * @param {{ x: number, y: number, width: number, height: number }} box
 * @param {{ a: number, b: number, c: number, d: number, e: number, f: number }} matrix @param {number} lines @returns {Box} */
export function corners({ x, y, width, height }, { a, b, c, d, e, f }, lines = 1) {
  const empty = (LEADING * height) / lines;
  const [left, right, top, bottom] = [x, x + width, y + empty, y + height - empty];
  const moved = (/** @type {number} */ across, /** @type {number} */ down) => /** @type {Point} */ ([a * across + c * down + e, b * across + d * down + f]);
  return [moved(left, top), moved(right, top), moved(right, bottom), moved(left, bottom)];
}

/** A box whose middle is there. @param {Point} middle @param {{ width: number, height: number }} size @returns {Box} */
export function boxAround([x, y], { width, height }) {
  const [left, right, top, bottom] = [x - width / 2, x + width / 2, y - height / 2, y + height / 2];
  return [[left, top], [right, top], [right, bottom], [left, bottom]];
}

/** @param {Box} box @returns {Frame} */
export function around(box) {
  const [across, down] = [box.map(([x]) => x), box.map(([, y]) => y)];
  return { left: Math.min(...across), top: Math.min(...down), right: Math.max(...across), bottom: Math.max(...down) };
}

/** By how much a box leaves a frame on each side; 0 where it does not. @param {Box} box @param {Frame} frame */
export function beyond(box, frame) {
  const { left, top, right, bottom } = around(box);
  const by = { l: frame.left - left, t: frame.top - top, r: right - frame.right, b: bottom - frame.bottom };
  return Object.fromEntries(Object.entries(by).map(([side, much]) => [side, much > SLACK ? much : 0]));
}

/** @param {Box} box @param {Frame} frame */
export const isWithin = (box, frame) => Object.values(beyond(box, frame)).every((much) => much === 0);

/** Whether two boxes, turned or not, have more in common than an edge: no line between them keeps them apart.
 * @param {Box} one @param {Box} other */
export function overlap(one, other) {
  return [one, other].every((box) => [[box[0], box[1]], [box[1], box[2]]].every(([[x, y], [X, Y]]) => {
    const length = Math.hypot(X - x, Y - y) || 1;
    const along = (/** @type {Point} */ [across, down]) => (across * (X - x) + down * (Y - y)) / length;
    const [first, second] = [one.map(along), other.map(along)];
    return Math.min(Math.max(...first), Math.max(...second)) - Math.max(Math.min(...first), Math.min(...second)) > SLACK;
  }));
}

/** Places for the middle of a name beside a mark, from near to far. @param {{ width: number, height: number }} size @returns {Point[]} */
export function besideMark({ width, height }) {
  const sides = [-1, 1, 0, -0.5, 0.5].flatMap((up) => [1, -1, 0].filter((side) => side || Math.abs(up) === 1).map((side) => [side, up]));
  return [10, 18, 28, 40, 54, 70, 90].flatMap((ring) => sides.map(([side, up]) => /** @type {Point} */ ([side * (width / 2 + ring), up * (height / 2 + ring)])));
}

/** Places above and below where a note stands, from near to far. @param {{ height: number }} size @returns {Point[]} */
export const aboveAndBelow = ({ height }) => Array.from({ length: 24 }, (_, at) => /** @type {Point} */ ([0, (at % 2 ? 1 : -1) * Math.ceil(at / 2) * height * 0.5]));

/**
 * The first of some places that is within a frame and clear of all boxes, where fewest marks are covered; none where all are taken.
 * @param {{ width: number, height: number }} size @param {Point} from @param {Point[]} shifts @param {Box[]} taken
 * @param {Frame} frame @param {Point[]} marks @returns {Point | undefined}
 */
export function clearShift(size, from, shifts, taken, frame, marks = []) {
  let [best, least] = [/** @type {Point | undefined} */ (undefined), Infinity];
  for (const shift of shifts) {
    const box = boxAround([from[0] + shift[0], from[1] + shift[1]], size);
    if (!isWithin(box, frame) || taken.some((one) => overlap(box, one))) continue;
    const count = covered(around(box), marks);
    if (count < least) [best, least] = [shift, count];
    if (!count) break;
  }
  return best;
}

/** How many marks a frame lies on. @param {Frame} frame @param {Point[]} marks */
export const covered = ({ left, top, right, bottom }, marks) => marks.filter(([x, y]) => x > left - 3 && x < right + 3 && y > top - 3 && y < bottom + 3).length;

/** Sorted places moved until neighbours are a gap apart, within two ends where there is room for all.
 * @param {number[]} places @param {number} gap @param {number} low @param {number} high */
export function pushedApart(places, gap, low, high) {
  let reached = -Infinity;
  const down = places.map((place) => { reached = Math.max(place, low, reached + gap); return reached; });
  const last = places.length - 1;
  return down.map((place, at) => Math.max(Math.min(place, high - (last - at) * gap), low + at * gap));
}
