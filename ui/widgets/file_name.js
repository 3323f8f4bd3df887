// @ts-check
// How a file of a figure is called: it says what is set.

const LONGEST = 80; // signs
const ABOUT_THE_APP = ["on", "present", "entry"];

/** What of an address is set, as the end of a name that does not say it yet.
 * @param {string} name @param {string} query */
export function settingsOf(name, query) {
  /** @type {Record<string, string[]>} */
  const said = {};
  for (const [key, text] of new URLSearchParams(query)) {
    const short = key.slice(key.lastIndexOf(".") + 1);
    if (!ABOUT_THE_APP.includes(key) && !name.includes(`${short} `)) (said[short] ??= []).push(text);
  }
  const texts = Object.entries(said).map(([key, values]) => `, ${key}=${values.join(",")}`);
  return texts.join("").replace(/[^\p{L}\p{N}_ .,()=@-]+/gu, "_").slice(0, LONGEST);
}
