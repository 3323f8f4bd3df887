// @ts-check
// The file name of a figure: short, valid in LaTeX and in every file system, and different for different settings.

const LONGEST = 24; // most characters of the figure's name
const ABOUT_THE_APP = ["on", "present", "entry"];

/** The name of a figure, with four characters that identify settings not at their default.
 * @param {string} name @param {string} query */
export function fileName(name, query) {
  const [what, ...drawn] = name.split(", "); // random draws: the name contains the seed
  const set = [...new URLSearchParams(query)].filter(([key]) => !ABOUT_THE_APP.includes(key)).map(([key, text]) => `${key}=${text}`);
  const plain = what.normalize("NFKD").replace(/[^a-zA-Z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, LONGEST) || "figure";
  return set.length || drawn.length ? `${plain}-${digest([...drawn, ...set.toSorted()].join("&"))}` : plain;
}

/** Four hexadecimal digits of a text: FNV-1a, folded. @param {string} text */
function digest(text) {
  const hash = [...text].reduce((sum, sign) => Math.imul(sum ^ (sign.codePointAt(0) ?? 0), 16777619) >>> 0, 2166136261);
  return ((hash >>> 16) ^ (hash & 0xffff)).toString(16).padStart(4, "0");
}
