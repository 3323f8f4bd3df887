// Code shared by actions by hand; see by_hand.py. It outlives the elements, which Streamlit may make anew.

import { element } from "../../widgets/elements.js";
import { PATIENCE, unanswered } from "../../widgets/unanswered.js";

export const hand = { sent: [], when: -Infinity };

// Return all actions, including those sent and not answered yet.
export function catchUp(data, tell) {
  const late = unanswered(data.edits, hand.sent, performance.now() - hand.when);
  Object.assign(hand, { data, tell, edits: [...data.edits, ...late] });
}

// Add an action.
export function done(step) {
  if (hand.edits.length >= hand.data.most) return;
  hand.edits = [...hand.edits, hand.data.line + step];
  Object.assign(hand, { sent: hand.edits, when: performance.now() });
  hand.tell("edits", hand.edits);
}

export function undoing() {
  const { edits, undone } = hand.data;
  const back = (by) => () => {
    Object.assign(hand, { sent: [], when: performance.now() });
    hand.tell("back", { by });
  };
  const buttons = [["Undo", "↶", 1, edits.length], ["Redo", "↷", -1, undone], ["Start again", "⟲", edits.length, edits.length]];
  return element("span", { className: "undoing" }, buttons.map(([words, icon, by, possible]) =>
    button(words, { ariaLabel: words, title: words, textContent: icon, disabled: !possible, onclick: back(by) })));
}

// Replace the children of a box; the focus stays on its part, or goes to the first given part that can have it.
export function renew(box, children, ...others) {
  const active = document.activeElement;
  const lost = active === document.body && performance.now() - hand.when < PATIENCE;
  const part = box.contains(active) ? active.dataset.part : lost ? hand.part : undefined;
  box.replaceChildren(...children);
  box.addEventListener("focusin", noted); // added only once
  if (part === undefined) return;
  const found = [part, ...others].map((one) => box.querySelector(`[data-part="${CSS.escape(one)}"]:not(:disabled)`));
  found.find(Boolean)?.focus({ preventScroll: true });
}

function noted(event) {
  hand.part = event.target.dataset.part;
}

export function button(part, properties) {
  const made = element("button", { type: "button", ...properties });
  made.dataset.part = part;
  return made;
}
