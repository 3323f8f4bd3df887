// @ts-check
// What an edit does to the rows of a ranking; what it adds to scores the server says.

/**
 * The rows after an edit, `move:LINE1:3` or `remove:LINE2`; of another line they stay as they are.
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

/** What is said of a row that stands elsewhere than before: "was 3", or "new".
 * @param {number | null} before its rank then, none where it was not there @param {number} rank */
export function wasAt(before, rank) {
  if (before === rank) return "";
  return before ? `was ${before}` : "new";
}
