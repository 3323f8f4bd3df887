// @ts-check
// The Markdown of headlines and answers: lines, bold and italic words, links, escaped characters.

/** @typedef {string | { name: "strong" | "em" | "a", parts: Part[], href?: string }} Part */

const INLINE = /\\([^A-Za-z0-9\s])|\*\*((?:\\.|[^\\])+?)\*\*|\*((?:\\.|[^\\*])+?)\*|\[((?:\\.|[^\\\]])*)\]\((\/[^\s)]*)(?: "[^"]*")?\)/g;

/** Split a text into lines, each a list of plain texts and elements with parts.
 * @param {string} text @returns {Part[][]} */
export const parsed = (text) => text.split("  \n").map(inline);

/** @param {string} text @returns {Part[]} */
function inline(text) {
  /** @type {Part[]} */
  const parts = [];
  let done = 0;
  for (const found of text.matchAll(INLINE)) {
    parts.push(text.slice(done, found.index), part(found));
    done = found.index + found[0].length;
  }
  return [...parts, text.slice(done)].filter((one) => one !== "");
}

/** @param {RegExpMatchArray} found @returns {Part} */
function part([, sign, bold, slanted, label, href]) {
  if (sign) return sign;
  if (bold) return { name: "strong", parts: inline(bold) };
  if (slanted) return { name: "em", parts: inline(slanted) };
  return { name: "a", parts: inline(label), href };
}
