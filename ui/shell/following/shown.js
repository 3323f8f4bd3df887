// The content of a page at another slider position.

import { asGiven } from "#following/changes.js";
import { movedInPlace } from "#following/figures.js";
import { locate } from "#following/frames.js";
import { isDrawn } from "#following/plotly_inside.js";
import { play } from "#following/reader.js";
import { forget } from "#following/touched.js";
import { classOf } from "./state.js";
import { say } from "./words.js";

export function show(path, value, among) {
  if (!path?.positions?.length) return false;
  const there = among ? among(value, path.positions) : value;
  const { share } = locate(path, there);
  document.body.classList.toggle("between-places", share > 0 && share < 1);
  return play(path, there, { figure, change, say });
}

function figure(key) {
  const box = document.querySelector(`.${classOf(key)} .plot`);
  return isDrawn(box) && box.clientWidth ? box : undefined;
}

const change = (box, changes) => movedInPlace(box, changes) || redraw(box, changes);

function inView(box) {
  const { top, bottom } = box.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

const drawnAt = new WeakMap(); // until when a figure that must be redrawn is not drawn again

// Draw at most half of the time, so that the user never waits, and only visible figures.
function redraw(box, changes) {
  if (!inView(box)) return true;
  const before = drawnAt.get(box);
  const now = performance.now();
  if (before?.busy || now < before?.until) return false;
  drawnAt.set(box, { busy: true });
  box.dispatchEvent(new CustomEvent("show", { detail: {
    changes: changes.map((one) => ({ keys: one.keys, value: asGiven(box, one) })),
    done: () => {
      forget(box);
      drawnAt.set(box, { until: 2 * performance.now() - now });
    },
  } }));
  return true;
}
