// @ts-check
// What a key does on the stage of a page without a server.

/** @type {Record<string, string>} */
const DOES = {
  ArrowRight: "onward", PageDown: "onward", " ": "onward", ArrowLeft: "back", PageUp: "back",
  Home: "first", End: "last", Escape: "leave", n: "notes", d: "darker",
};
const TYPED = new Set(["ArrowRight", "ArrowLeft", "Home", "End"]); // which a slider that has the focus keeps

/**
 * The name of what it does; none where what has the focus takes it. A clicker's keys lead on wherever the focus is.
 * @param {string} key
 * @param {{ typed?: unknown, pressed?: unknown }} focus whether that is a control, or is pressed by a space
 */
export function stageKey(key, { typed, pressed }) {
  if ((typed && TYPED.has(key)) || (pressed && key === " ")) return undefined;
  return DOES[key.length > 1 ? key : key.toLowerCase()];
}
