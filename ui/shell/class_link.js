// @ts-check
// What the address of a class says (answers hidden, settings locked) in the address of another page.

const KEPT = ["answers", "locked"];

/** An address with what `search`, that of the page that is open, says for a class.
 * @param {string} href @param {string} search @returns {string} */
export function keptIn(href, search) {
  const [url, here] = [new URL(href), new URLSearchParams(search)];
  const locked = here.getAll("locked");
  for (const key of [...KEPT, ...locked]) {
    url.searchParams.delete(key);
    for (const text of here.getAll(key)) url.searchParams.append(key, text);
  }
  return url.href;
}
