// Where a slider and its figure do not fit one screen, the figure comes over the page once the slider is touched, into the
// half that the thumb is not in, and stays until something else is touched.

import { isDrawn, legendHeight } from "#following/plotly_inside.js";
import { dockedIn } from "./room.js";
import { classOf, controlOf, state } from "./state.js";

export const NARROW = matchMedia("(max-width: 640px)");
const SEEN = 0.99; // the share of a figure that is enough: less would cut off marks and titles
const SMALL = 300; // pixels of a figure that a page has beside the one that answers its question
const KEYS = /^(Arrow|Page|Home|End)/; // that move a slider
let docked; // the figure that is over the page, with its height and that of its legend

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
  box.parentElement.style.minHeight = `${docked.height}px`; // nothing moves under the thumb
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

// What answers the page's question is no small figure, which shows a setting.
function answering(figures) {
  const height = (box) => (box === docked?.box ? docked.height : box.offsetHeight);
  return figures.find((box) => height(box) >= SMALL) ?? figures[0];
}

// The figures on the page that follow the slider; where none is known to, those after it, or where there is none, the one before.
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
