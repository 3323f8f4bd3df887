// @ts-check
// A text cut into words and gaps, and wherever a range begins or ends. Positions are characters as Python
// counts them.

/**
 * @typedef {[number, number]} Range start (included) and end (excluded)
 * @typedef {{ text: string, mine: Range[], theirs: Range[], returned: [number, number, number][],
 *   entries: Record<string, number | undefined> }} Marked a text; the third number of `returned` is the rank
 * @typedef {{ text: string, start: number, end: number, names: string[], entries: string[], rank: number,
 *   begins: boolean, solid: boolean }} Piece the ranges that it is in, entry points before it, the rank of the
 *   returned part (0: none), whether that part begins here, whether it is a word
 */

const ENTRIES = ["begun", "theirs", "mine"];

/** @param {Marked} marked @returns {Piece[]} */
export function cut({ text, mine, theirs, returned, entries }) {
  const borders = new Set([...mine, ...theirs, ...returned].flatMap(([start, end]) => [start, end]));
  for (const at of Object.values(entries)) if (at !== undefined) borders.add(at);
  let [at, before] = [0, 0];
  return parts(text, borders).map((part) => {
    const start = at;
    at += [...part].length;
    const hit = within(returned, start);
    const names = Object.entries({ mine: within(mine, start), theirs: within(theirs, start), returned: hit });
    const rank = hit?.[2] ?? 0;
    const begins = rank > 0 && rank !== before;
    before = rank;
    return {
      text: part, start, end: at, rank, begins, solid: /\S/u.test(part),
      names: names.filter(([, found]) => found).map(([name]) => name),
      entries: ENTRIES.filter((name) => entries[name] === start),
    };
  });
}

/**
 * @template {number[]} T
 * @param {T[]} ranges
 * @param {number} at
 */
const within = (ranges, at) => ranges.find(([start, end]) => start <= at && at < end);

/** @param {string} text @param {Set<number>} borders */
function parts(text, borders) {
  /** @type {string[]} */
  const found = [];
  let at = 0;
  for (const [piece] of text.matchAll(/\s+|\S+/gu)) {
    let first = true;
    for (const sign of piece) {
      if (first || borders.has(at)) found.push("");
      found[found.length - 1] += sign;
      first = false;
      at += 1;
    }
  }
  return found;
}
