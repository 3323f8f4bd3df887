// @ts-check
// Numbers as they are written.

/** A score as tables have it: four decimals, none for what is not a number. @param {number} value */
export function score(value) {
  if (Number.isNaN(value)) return "";
  if (Number.isFinite(value)) return value.toFixed(4);
  return value > 0 ? "∞" : "-∞";
}

/** The nearest multiple of a step that is no further than both ends.
 * @param {number} value @param {{ low: number, high: number, step: number }} ends */
export function snapped(value, { low, high, step }) {
  return Number((Math.round(Math.min(Math.max(value, low), high) / step) * step).toFixed(10));
}
