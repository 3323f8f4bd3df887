// @ts-check
// What is on stage, what is said of where that is, and where keys and fingers lead; see present.js, which has the page.

/** @typedef {{ kind: string, known: unknown }} Scene */

const TYPED = "input:not([type=radio], [type=checkbox], [type=range]), textarea, select, [role=combobox], [contenteditable=true]";
const ARROWED = `${TYPED}, input, [role=slider], [role=radio], [role=tab], [role=option], [role=listbox], [role=grid], canvas`;
const PRESSED = "button, summary, a[href], [role=button], [role=checkbox], [role=switch]";
const CLOSED = "[aria-expanded=true], [role=listbox], dialog"; // by Escape
/** @type {Record<string, number>} */
const STEPS = { ArrowRight: 1, PageDown: 1, " ": 1, ArrowLeft: -1, PageUp: -1 };
const [FAR, QUICK] = [50, 600]; // pixels and ms of a finger that leads on

/**
 * Which of all is on stage: until one was chosen by hand that in view when presenting began, or the first; then the
 * one that is there, or where it has left the page the one in its place.
 * @template T
 * @param {T[]} all
 * @param {{ stage: T, place: number, moved: boolean, begun: T }} before
 */
export function chosen(all, { stage, place, moved, begun }) {
  if (!moved) return all.includes(begun) ? begun : all[0];
  return all.includes(stage) ? stage : all[Math.min(place, all.length - 1)];
}

/** "Figure 2 of 3": where one is among those of its kind. @param {Scene[]} all @param {Scene | undefined} now */
export function ordinal(all, now) {
  if (!now) return "";
  const alike = all.filter(({ kind }) => kind === now.kind);
  return now.kind === "Text" ? "Text" : `${now.kind} ${alike.indexOf(now) + 1} of ${alike.length}`;
}

/** @param {number} at @param {number} count @param {string} part what of the view is on stage, where that was chosen */
export const whereInList = (at, count, part) => `View ${at + 1} of ${count}${part ? ` · ${part}` : ""}`;

/**
 * What a key does: the name of that, and by how much it leads on. A control that has the focus keeps its keys; only Esc
 * leaves, and where nothing is typed C hides the controls.
 * @param {{ key: string, shiftKey: boolean }} event
 * @param {(selector: string) => unknown} on whether what has the focus is, or is in, one of those
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
 * Where a finger that was drawn across leads: 1 on, -1 back, 0 nowhere, as where it scrolls what is wider than its place.
 * @param {{ x: number, y: number, when: number, before: number, after: number }} from how far that can be scrolled
 * @param {{ x: number, y: number, when: number }} to
 */
export function led({ x, y, when, before, after }, to) {
  const across = to.x - x;
  if (to.when - when > QUICK || Math.abs(across) < Math.max(FAR, 2 * Math.abs(to.y - y))) return 0;
  const left = across < 0 ? after : before;
  if (left >= 2) return 0;
  return across < 0 ? 1 : -1;
}
