// If a slider and its figure do not fit on one screen, touching the slider shows the figure over the page, in the half without
// the thumb, until something else is touched.

import { isDrawn, legendHeight } from "#following/plotly_inside.js";
import { dockedIn } from "./room.js";
import { classOf, controlOf, state } from "./state.js";

export const NARROW = matchMedia("(max-width: 640px)");
const SEEN = 0.99; // a figure with a smaller visible share has marks or titles cut off
const SMALL = 300; // pixels up to which a figure is secondary, not the page's answer
const KEYS = /^(Arrow|Page|Home|End)/; // keys that move a slider
let docked; // the figure shown over the page, with its height and its legend's

function watch({ target, type, key }) {
  if (!(target instanceof Element) || docked?.box.contains(target)) return;
  if (type === "keydown" && !KEYS.test(key)) return void (key === "Escape" && undock());
  const slider = NARROW.matches && target.closest('[data-testid="stMain"] [data-testid="stSlider"]');
  if (slider && !document.body.classList.contains("presenting")) dock(slider);
  else if (type !== "keydown") undock();
}

function dock(slider) {
  const box = answering(figuresOf(slider));
  if (box !== docked?.box) undock();
  if (!box || (!docked && shareSeen(box) >= SEEN)) return;
  docked ??= { box, height: box.offsetHeight, legend: legendHeight(box) };
  box.parentElement.style.minHeight = `${docked.height}px`; // so that nothing moves under the thumb
  const { height, bare, below } = dockedIn(slider.getBoundingClientRect(), docked, innerHeight);
  box.style.setProperty("--docked", `${height}px`);
  box.classList.add("docked");
  box.classList.toggle("bare", bare);
  box.classList.toggle("below", below);
  dispatchEvent(new Event("stage"));
}

function undock() {
  if (!docked) return;
  const { box } = docked;
  docked = undefined;
  box.classList.remove("docked", "below", "bare");
  box.parentElement?.style.removeProperty("min-height");
  dispatchEvent(new Event("stage"));
}

// Small figures illustrate a setting; the page's answer is a larger one.
function answering(figures) {
  const height = (box) => (box === docked?.box ? docked.height : box.offsetHeight);
  return figures.find((box) => height(box) >= SMALL) ?? figures[0];
}

// Return the figures that follow the slider; if none is known, those after it, or else the one before it.
export function figuresOf(slider) {
  const drawn = [...document.querySelectorAll('[data-testid="stMain"] .plot')].filter((box) => box.clientWidth && isDrawn(box));
  const names = state.sliders.get(controlOf(slider))?.figures ?? [];
  const followed = drawn.filter((box) => names.some((key) => box.closest(`.${classOf(key)}`)));
  const after = drawn.filter((box) => slider.compareDocumentPosition(box) & Node.DOCUMENT_POSITION_FOLLOWING);
  return [followed, after, drawn.slice(-1)].find((some) => some.length) ?? [];
}

function shareSeen(box) {
  const { top, bottom, height } = box.getBoundingClientRect();
  return (Math.min(bottom, innerHeight) - Math.max(top, 0)) / height;
}

export function watchForDocking() {
  for (const begun of ["pointerdown", "keydown"]) addEventListener(begun, watch, { capture: true, passive: true });
  NARROW.addEventListener("change", undock);
}
