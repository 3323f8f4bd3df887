// Figures that are drawn for the first time take turns: first what most is seen of, each painted before the next; what
// nobody sees when there is time for it.

import { areaSeen } from "./elements.js";

const PAINTED = 30; // ms in which what was drawn is painted
const LATEST = 500; // ms after which a figure that nobody sees is drawn, busy or not
const waiting = [];
let due; // when the next one is, unless that is when there is time

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
