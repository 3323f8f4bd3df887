// When fixed axes are released.

import { linearAxes } from "#following/axes.js";
import { isDrawn } from "#following/plotly_inside.js";
import { controlOf } from "./state.js";

// Any control but a slider may show another figure, which needs its own axes.
function letGo({ target }) {
  if (target instanceof Element && target.closest(".plot, .st-key-menu ~ *") && !controlOf(target)) {
    for (const box of document.querySelectorAll(".plot")) if (!box.contains(target)) box.held = undefined;
  }
}

// The key Z fits a figure to its marks.
function fit(event) {
  if (event.key !== "z" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches("input:not([type=range]), textarea, [contenteditable=true]")) return;
  for (const box of document.querySelectorAll(".plot")) {
    if (!isDrawn(box)) continue;
    box.held = undefined;
    window.Plotly.relayout(box, Object.fromEntries(linearAxes(box).map((name) => [`${name}.autorange`, true])));
  }
}

export function watchAxes() {
  addEventListener("pointerdown", letGo, { capture: true, passive: true });
  addEventListener("keydown", fit);
}
