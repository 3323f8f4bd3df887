// @ts-check
// A text in lines that are no wider than their place.

/** A text as paragraphs; of several the first is the finding, in bold type. @param {string} text */
export function paragraphs(text) {
  const found = text.split("\n").map((one) => one.trim()).filter(Boolean);
  return found.map((words, at) => ({ words, bold: at === 0 && found.length > 1 }));
}

/** Words in lines that fit; a word that is wider than any line is broken too.
 * @param {string} text @param {(line: string) => boolean} fits */
export function broken(text, fits) {
  /** @type {string[]} */
  const lines = [];
  for (const word of text.split(/\s+/)) {
    const longer = lines.length ? `${lines[lines.length - 1]} ${word}` : word;
    if (lines.length && fits(longer)) lines[lines.length - 1] = longer;
    else lines.push(...pieces([...word], fits));
  }
  return lines;
}

/** @param {string[]} signs @param {(line: string) => boolean} fits */
function pieces(signs, fits) {
  const found = [""];
  for (const sign of signs) {
    const last = found[found.length - 1];
    if (last && !fits(last + sign)) found.push(sign);
    else found[found.length - 1] += sign;
  }
  return found;
}
