// @ts-check
// What the box finds that palette.js draws: names by the words that are typed.

/**
 * @typedef {{ kind: string, name: string, label: string, also: string, first: string, second: string, lead: string }} Entry
 * @typedef {[Entry, number]} Hit how well it fits: the least is best
 */

/** @type {[string, string][]} */
const KINDS = [
  ["page", "Pages"],
  ["setting", "Settings of this page"],
  ["measure", "Measures"],
  ["system", "Systems, to highlight"],
  ["topic", "Topics"],
  ["word", "Words of the glossary"],
];
const NOWHERE = 9;

/** @param {string} text */
export const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/** @param {string} kind @param {string} name @param {string} label @returns {Entry} */
export const entry = (kind, name, label, also = "") => ({ kind, name, label, also, first: plain(label), second: plain(also), lead: kind });

/**
 * All that can be found by name.
 * @param {{ page: string[][], known: string[], measure: string[], system: string[], topic: string[][], word: string[][] }} names
 */
export function entries({ page, known, measure, system, topic, word }) {
  return [
    ...page.map(([stem, label, question]) => entry("page", stem, label, question)),
    ...known.map((text) => ({ ...entry("measure", text, text), lead: "known" })),
    ...measure.map((text) => entry("measure", text, text)),
    ...system.map((name) => entry("system", name, name)),
    ...topic.map(([name, query]) => entry("topic", name, name, query)),
    ...word.map(([name, also]) => entry("word", name, name, also)),
  ];
}

/** How well a text holds a word: 0 from its own beginning, 1 from that of one of its words, 2 anywhere, 9 not at all.
 * @param {string} text @param {string} word */
export function rank(text, word) {
  const at = text.indexOf(word);
  if (at <= 0) return at < 0 ? NOWHERE : 0;
  for (let one = at; one >= 0; one = text.indexOf(word, one + 1)) if (!/[\p{L}\p{N}]/u.test(text[one - 1])) return 1;
  return 2;
}

/**
 * What fits what is typed; pages and settings where nothing is. A measure may be typed that is not among the entries,
 * by a head that is among those known.
 * @template {Entry} T
 * @param {T[]} items
 * @param {Set<string>} heads
 * @param {string} text
 * @returns {[T | Entry, number][]}
 */
export function search(items, heads, text) {
  const typed = text.trim();
  const words = plain(typed).split(/\s+/).filter(Boolean);
  if (!words.length) return items.filter(({ kind }) => kind === "page" || kind === "setting").map((item) => [item, 0]);
  /** @type {[T | Entry, number][]} */
  const hits = [];
  for (const item of items) {
    // Every word has to be there; what else finds it comes after its name.
    const worst = Math.max(...words.map((word) => Math.min(rank(item.first, word), rank(item.second, word) + 3)));
    if (worst < NOWHERE) hits.push([item, item.first === plain(typed) ? -1 : worst]);
  }
  const known = hits.some(([{ kind, name }]) => kind === "measure" && name === typed);
  if (!known && heads.has(plain(/^\w+/.exec(typed)?.[0] ?? "")) && /^\w+\s*(@\s*\d|\(.*\)$)/s.test(typed)) {
    hits.unshift([entry("measure", typed, typed, "as typed"), -1]);
  }
  return hits;
}

/**
 * The hits of a kind stand by how well they fit, then as they were given; the kinds by their best hit, where the
 * beginning of a word is as good as that of the name.
 * @template {Entry} T
 * @param {[T, number][]} hits
 * @param {number} most of a kind
 */
export function groups(hits, most) {
  const by = KINDS.map(([kind, title]) => {
    const own = hits.filter(([item]) => item.kind === kind).sort((a, b) => a[1] - b[1]);
    return { title, kind, own: own.slice(0, most), best: own[0]?.[1] === 1 ? 0 : own[0]?.[1] };
  });
  return by.filter(({ own }) => own.length).sort((a, b) => a.best - b.best);
}

/** Where an arrow or page key leads among the options: a step goes on round the ends, a page stops there.
 * @param {number} at @param {number} by @param {number} count */
export function stepped(at, by, count) {
  const [last, to] = [count - 1, at + by];
  if (to >= 0 && to <= last) return to;
  return (to > last) === (Math.abs(by) === 1) ? 0 : last;
}

/** What is said of how many there are. @param {number} found @param {number} shown */
export function counted(found, shown) {
  if (!found) return "Nothing found";
  return found > shown ? `${shown} shown, ${found - shown} more: type on` : `${found} found`;
}

/**
 * The address of a page as it was last seen, as the menu opens it, but for settings of its own and what falls back to its
 * default: what is dropped, or all of its own.
 * @param {{ pathname: string, search: string }} here
 * @param {{ stems: string[], seen: Record<string, Record<string, string[]>> }} known
 * @param {string} page
 * @param {Record<string, string[]>} settings
 * @param {string[] | null} dropped
 */
export function addressOf({ pathname, search: query }, { stems, seen }, page, settings, dropped) {
  const parts = pathname.split("/");
  const last = parts[parts.length - 1];
  const base = !last || stems.includes(last) ? parts.slice(0, -1) : parts;
  const own = page === (last || "home") ? ownSettings(page, query) : (seen[page] ?? {});
  const kept = Object.entries(own).filter(([key]) => dropped && !dropped.includes(key));
  const wanted = new URLSearchParams();
  for (const [key, texts] of Object.entries({ ...seen[""], ...Object.fromEntries(kept), ...settings })) {
    for (const text of texts) wanted.append(key, text);
  }
  return [...base, page === "home" ? "" : page].join("/") + (wanted.size ? `?${wanted}` : "");
}

/** Of the page that is open: what the app says of the others is known before this one has run.
 * @param {string} page @param {string} query */
function ownSettings(page, query) {
  /** @type {Record<string, string[]>} */
  const found = {};
  for (const [key, text] of new URLSearchParams(query)) if (key.startsWith(`${page}.`)) (found[key] ??= []).push(text);
  return found;
}
