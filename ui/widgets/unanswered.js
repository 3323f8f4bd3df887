// @ts-check
// All edits are sent with each, so that of two quick ones none is lost; what was sent is shown before it is answered.

export const PATIENCE = 3000; // ms after which an answer that lacks what was sent is taken as it is

/** Of what was sent the end that an answer lacks; nothing after a while, or where the answer is of something else.
 * @param {string[]} answered @param {string[]} sent @param {number} waited ms since it was sent */
export function unanswered(answered, sent, waited) {
  return waited < PATIENCE && answered.every((text, i) => text === sent[i]) ? sent.slice(answered.length) : [];
}
