// @ts-check
// All edits are sent with each edit, so that none of two quick ones is lost; they are shown before the server answers.

export const PATIENCE = 3000; // ms after which an answer that lacks sent edits is accepted

/** Return the sent edits that an answer lacks; none after a while, or if the answer is about something else.
 * @param {string[]} answered @param {string[]} sent @param {number} waited ms since it was sent */
export function unanswered(answered, sent, waited) {
  return waited < PATIENCE && answered.every((text, i) => text === sent[i]) ? sent.slice(answered.length) : [];
}
