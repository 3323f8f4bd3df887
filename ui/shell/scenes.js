// @ts-check
// Logic of the presentation: the item on stage, its position in words, and the effect of keys and swipes; see present.js.

/** @typedef {{ kind: string, known: unknown }} Scene */

const TYPED = "input:not([type=radio], [type=checkbox], [type=range]), textarea, select, [role=combobox], [contenteditable=true]";
const ARROWED = `${TYPED}, input, [role=slider], [role=radio], [role=tab], [role=option], [role=listbox], [role=grid], canvas`;
const PRESSED = "button, summary, a[href], [role=button], [role=checkbox], [role=switch]";
const CLOSED = "[aria-expanded=true], [role=listbox], dialog"; // closed by Escape
/** @type {Record<string, number>} */
const STEPS = { ArrowRight: 1, PageDown: 1, " ": 1, ArrowLeft: -1, PageUp: -1 };
const [FAR, QUICK] = [50, 600]; // least pixels and most ms of a swipe

/**
 * Return the item on stage: until a person chooses, the one in view when the presentation began, or the first; then the
 * chosen one, or, if it has left the page, the one at its position.
 * @template T
 * @param {T[]} all
 * @param {{ stage: T, place: number, moved: boolean, begun: T }} before
 */
export function chosen(all, { stage, place, moved, begun }) {
  if (!moved) return all.includes(begun) ? begun : all[0];
  return all.includes(stage) ? stage : all[Math.min(place, all.length - 1)];
}

/** "Figure 2 of 3": the position of an item among those of its kind. @param {Scene[]} all @param {Scene | undefined} now */
export function ordinal(all, now) {
  if (!now) return "";
  const alike = all.filter(({ kind }) => kind === now.kind);
  return now.kind === "Text" ? "Text" : `${now.kind} ${alike.indexOf(now) + 1} of ${alike.length}`;
}

/** @param {number} at @param {number} count @param {string} part the part of the view on stage, if one was chosen */
export const whereInList = (at, count, part) => `View ${at + 1} of ${count}${part ? ` · ${part}` : ""}`;

/**
 * Return the action of a key, and how many views it moves. A focused control keeps its keys; only Esc
 * leaves, and C hides the controls unless text is typed.
 * @param {{ key: string, shiftKey: boolean }} event
 * @param {(selector: string) => unknown} on true if the focused element matches, or is inside a match
 * @returns {[string, number?] | undefined}
 */
export function keyDoes({ key, shiftKey }, on) {
  if (key === "Escape") return on(CLOSED) ? undefined : ["quit"];
  const letter = on(TYPED) ? "" : key.toLowerCase();
  if (letter === "c") return ["controls"];
  if (letter === "n") return ["notes"];
  if (!(key in STEPS) || on(ARROWED) || (key === " " && on(PRESSED))) return undefined;
  return [shiftKey ? "step" : "lead", STEPS[key]];
}

/**
 * Return the effect of a swipe: 1 next, -1 back, 0 none, for example if it scrolls an element wider than its box.
 * @param {{ x: number, y: number, when: number, before: number, after: number }} from start, and how far the element can be scrolled
 * @param {{ x: number, y: number, when: number }} to
 */
export function led({ x, y, when, before, after }, to) {
  const across = to.x - x;
  if (to.when - when > QUICK || Math.abs(across) < Math.max(FAR, 2 * Math.abs(to.y - y))) return 0;
  const left = across < 0 ? after : before;
  if (left >= 2) return 0;
  return across < 0 ? 1 : -1;
}
