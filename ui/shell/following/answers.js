// @ts-check
// What is known of a path, by what the server answers (`X-Path`; see paths.py).

/** @typedef {{ asked?: boolean, state?: string, dear?: boolean }} Known */

/** Whether a path is to be asked for: for all of it where a hand is near, else only where nothing is known of it.
 * @param {Known | undefined} known @param {boolean} whole */
export function isToBeAsked(known, whole) {
  if (!known) return true;
  return whole && !known.asked && !known.dear && known.state !== "complete";
}

/** @param {string | null | undefined} said */
export const bringsFrames = (said) => said === "coarse" || said === "complete";

/**
 * What is known after an answer; nothing where the path is left for later. `asked`: one asks again.
 * @param {string | null | undefined} said
 * @param {boolean} whole whether all of it is wanted
 * @returns {Known | undefined}
 */
export function afterAnswer(said, whole) {
  if (said === "later" && !whole) return undefined;
  if (said === "begun" || said === "later") return { asked: true };
  if (bringsFrames(said)) return { state: String(said), asked: said === "coarse" && whole };
  return { dear: said === "dear" };
}
