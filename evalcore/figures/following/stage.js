// The stage: one view fills the screen, keys lead on. The same file is a page to read; Esc and P go from one to the other.

import { redrawAll } from "./drawing.js";
import { stageKey } from "./keys.js";
import { onStage } from "./look.js";

const views = [...document.querySelectorAll("section.view")];
let current = 0;

function stageOn(wanted) {
  document.body.classList.toggle("stage", wanted);
  redrawAll(document);
  if (wanted) go(current);
  else views[current]?.scrollIntoView();
}

function go(to) {
  current = Math.min(Math.max(to, 0), views.length - 1);
  views.forEach((view, i) => view.classList.toggle("current", i === current));
  document.querySelector(".position").textContent = `${current + 1} of ${views.length}`;
  document.querySelector(".stage-bar .back").disabled = current === 0;
  document.querySelector(".stage-bar .onward").disabled = current === views.length - 1;
  redrawAll(views[current]);
}

const does = {
  back: () => go(current - 1),
  onward: () => go(current + 1),
  first: () => go(0),
  last: () => go(views.length - 1),
  leave: () => stageOn(false),
  present: () => stageOn(true),
  notes: () => document.body.classList.toggle("with-notes"),
  darker() {
    document.body.classList.toggle("dark");
    redrawAll(document);
  },
};

function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const { key, target } = event;
  if (target.matches?.("select") && !key.startsWith("Page") && key !== "Escape") return; // opened and chosen by keys
  if (!onStage()) {
    if (key.toLowerCase() === "p" && views.length) does.present();
    return;
  }
  const what = stageKey(key, { typed: target.closest?.("input, select"), pressed: target.closest?.("button, summary, a[href]") });
  if (!what) return;
  does[what]();
  event.preventDefault();
}

export function beginStage() {
  for (const name of ["back", "onward", "darker", "leave", "present"]) {
    for (const one of document.querySelectorAll(`button.${name}`)) one.addEventListener("click", does[name]);
  }
  addEventListener("keydown", press);
  addEventListener("resize", () => { if (onStage()) redrawAll(views[current]); });
  // On paper there is neither stage nor darkness.
  let printed;
  addEventListener("beforeprint", () => { printed = onStage(); if (printed) stageOn(false); });
  addEventListener("afterprint", () => { if (printed) stageOn(true); });
  if (onStage()) stageOn(true);
}
