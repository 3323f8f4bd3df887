// @ts-check
// Numbers as they are written.

/** A score as tables have it: four decimals, none for what is not a number. @param {number} value */
export function score(value) {
  if (Number.isNaN(value)) return "";
  if (Number.isFinite(value)) return value.toFixed(4);
  return value > 0 ? "∞" : "-∞";
}

/** A number without its leading zero, as small cells have it; a dash for none. @param {number} value @param {number} decimals */
export function bare(value, decimals) {
  return Number.isFinite(value) ? value.toFixed(decimals).replace("0.", ".").replace("-", "−") : "–";
}

/** The nearest multiple of a step that is no further than both ends.
 * @param {number} value @param {{ low: number, high: number, step: number }} ends */
export function snapped(value, { low, high, step }) {
  return Number((Math.round(Math.min(Math.max(value, low), high) / step) * step).toFixed(10));
}

const KINDS = { f8: Float64Array, f4: Float32Array, i1: Int8Array, u1: Uint8Array, i2: Int16Array, u2: Uint16Array, i4: Int32Array, u4: Uint32Array };

/** Numbers as a figure has them: a list, or the bytes of one. @param {any} given @returns {number[]} */
export function numbers(given) {
  if (!given?.bdata) return Array.from(given ?? [], (one) => (one === null ? NaN : Number(one)));
  const bytes = Uint8Array.from(atob(given.bdata), (sign) => sign.charCodeAt(0));
  return Array.from(new KINDS[/** @type {keyof typeof KINDS} */ (given.dtype)](bytes.buffer));
}
