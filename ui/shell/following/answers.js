// @ts-check
// What is known of a path, by what the server answers (`X-Path`; see paths.py).

/** @typedef {{ asked?: boolean, state?: string, dear?: boolean }} Known */

/** Whether a path is to be asked for: for all of it where a hand is near, else only where nothing is known of it.
 * @param {Known | undefined} known @param {boolean} whole */
export function isToBeAsked(known, whole) {
  if (!known) return true;
  return whole && !known.asked && !known.dear && known.state !== "complete";
}

/** @param {string | null | undefined} state */
export const bringsFrames = (state) => state === "coarse" || state === "complete";

/**
 * What is known after an answer; nothing where the path is left for later. `asked`: one asks again.
 * @param {string | null | undefined} state
 * @param {boolean} whole whether all of it is wanted
 * @returns {Known | undefined}
 */
export function afterAnswer(state, whole) {
  if (state === "later" && !whole) return undefined;
  if (state === "begun" || state === "later") return { asked: true };
  if (bringsFrames(state)) return { state: String(state), asked: state === "coarse" && whole };
  return { dear: state === "dear" };
}
