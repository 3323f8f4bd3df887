// First drawings of figures take turns: the most visible one first, each painted before the next; invisible ones when there
// is time.

import { areaSeen } from "./elements.js";

const PAINTED = 30; // ms for painting a drawing
const LATEST = 500; // ms after which an invisible figure is drawn in any case
const waiting = [];
let due; // when the next one is drawn, unless it waits for idle time

export function turn(box) {
  return new Promise((go) => {
    waiting.push({ box, go });
    if (waiting.length === 1 || areaSeen(box)) nextIn(0);
  });
}

function nextIn(ms) {
  due ??= setTimeout(() => { due = undefined; next(); }, ms);
}

function next() {
  if (!waiting.length) return;
  const best = waiting.reduce((one, other) => (areaSeen(other.box) > areaSeen(one.box) ? other : one));
  waiting.splice(waiting.indexOf(best), 1);
  best.go();
  if (!waiting.length) return;
  if (waiting.some(({ box }) => areaSeen(box))) nextIn(PAINTED);
  else (window.requestIdleCallback ?? setTimeout)(next, { timeout: LATEST });
}
