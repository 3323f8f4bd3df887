// @ts-check
// The effect of an edit on the rows of a ranking; the server computes its effect on scores.

/**
 * Return the rows after an edit, `move:LINE1:3` or `remove:LINE2`; unchanged if it is for another line.
 * @template T
 * @param {T[]} rows
 * @param {string} line
 * @param {string} text
 */
export function edited(rows, line, text) {
  const after = [...rows];
  if (text.startsWith(`move:${line}`)) {
    const [rank, to] = text.slice(`move:${line}`.length).split(":").map(Number);
    if (rank <= rows.length && to <= rows.length) after.splice(to - 1, 0, ...after.splice(rank - 1, 1));
  } else if (text.startsWith(`remove:${line}`)) {
    after.splice(Number(text.slice(`remove:${line}`.length)) - 1, 1);
  }
  return after;
}

/** The note on a row whose rank has changed: "was 3", or "new".
 * @param {number | null} before its former rank; null if it was not in the ranking @param {number} rank */
export function wasAt(before, rank) {
  if (before === rank) return "";
  return before ? `was ${before}` : "new";
}
