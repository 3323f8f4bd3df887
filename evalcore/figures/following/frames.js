// @ts-check
// Frames: what a slider shows at its places, packed by path.py; read, and found between two of them.

/**
 * What of a sheet changes along a slider: `values` and which of them stands at each place, or `length` numbers of each
 * place, one after the other from `from`.
 * @typedef {{ keys: (string | number)[], place?: string, values?: string[], at: number[], from: number, length: number,
 *   numbers: Float32Array }} Track
 * @typedef {{ positions: number[], figures: Record<string, Track[]>, tables: Record<string, Track[]>,
 *   texts: Track[] }} Path
 * @typedef {{ low: number, high: number, share: number }} Where between which two places, how far from the first
 */

/** @param {ArrayBuffer} data @returns {Path} */
export function unpack(data) {
  const length = new DataView(data).getUint32(0, true);
  const { positions, tracks } = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, length)));
  const numbers = new Float32Array(data, 4 + length);
  /** @type {Path} */
  const path = { positions, figures: {}, tables: {}, texts: [] };
  for (const track of tracks) {
    const [kind, key, ...keys] = track.keys;
    track.numbers = numbers;
    if (kind === "texts") path.texts.push({ ...track, place: key });
    else (path[/** @type {"figures" | "tables"} */ (kind)][key] ??= []).push({ ...track, keys });
  }
  return path;
}

/** Where a value lies among the places. @param {{ positions: number[] }} path @param {number} value @returns {Where} */
export function locate({ positions }, value) {
  let high = positions.findIndex((one) => one >= value);
  if (high < 0) high = positions.length - 1;
  const low = positions[high] === value ? high : Math.max(high - 1, 0);
  const share = high === low ? 0 : (value - positions[low]) / (positions[high] - positions[low]);
  return { low, high, share: Math.min(Math.max(share, 0), 1) };
}

/** What a track has there: numbers in between, of all else that of the nearer place.
 * @param {Track} track @param {Where} where */
export function valueAt(track, { low, high, share }) {
  const nearer = share < 0.5 ? low : high;
  if (track.values) return track.values[track.at[nearer]];
  const [first, second, near] = [low, high, nearer].map((row) => track.from + row * track.length);
  return Array.from({ length: track.length }, (_, i) => {
    const [a, b] = [track.numbers[first + i], track.numbers[second + i]];
    if (share === 0 || share === 1 || Number.isNaN(a) || Number.isNaN(b)) return track.numbers[near + i];
    return a + share * (b - a);
  });
}
