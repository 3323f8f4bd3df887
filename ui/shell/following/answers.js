// @ts-check
// State of a path, from the server's answer (`X-Path`; see paths.py).

/** @typedef {{ asked?: boolean, state?: string, dear?: boolean }} Known */

/** True if a path must be requested: all of it (`whole`) if the pointer is near, otherwise only if nothing is known of it.
 * @param {Known | undefined} known @param {boolean} whole */
export function isToBeAsked(known, whole) {
  if (!known) return true;
  return whole && !known.asked && !known.dear && known.state !== "complete";
}

/** @param {string | null | undefined} state */
export const bringsFrames = (state) => state === "coarse" || state === "complete";

/**
 * Return the state after an answer; nothing if the path is left for later. `asked`: request it again.
 * @param {string | null | undefined} state
 * @param {boolean} whole true if all of the path is needed
 * @returns {Known | undefined}
 */
export function afterAnswer(state, whole) {
  if (state === "later" && !whole) return undefined;
  if (state === "begun" || state === "later") return { asked: true };
  if (bringsFrames(state)) return { state: String(state), asked: state === "coarse" && whole };
  return { dear: state === "dear" };
}
