// Where a page is narrow, the slider that a figure follows stays at the top of the window while that figure is in view: the
// one that was moved last, else the first. Its place is kept, so that nothing moves.

import { figuresOf, NARROW } from "./docked.js";

const SLIDERS = '[data-testid="stMain"] [data-testid="stSlider"]';
const LEAST = 120; // pixels of a figure that are worth a slider, or all of a lower one
let stuck; // the slider that stays
let moved; // the one that was moved last
let awaited = false;

function place() {
  awaited = false;
  const wanted = NARROW.matches && !document.body.classList.contains("presenting") ? chosen() : undefined;
  if (wanted === stuck) return;
  release();
  if (!wanted) return;
  stuck = wanted;
  stuck.parentElement.style.minHeight = `${stuck.offsetHeight}px`;
  stuck.dataset.stuck = "";
}

function release() {
  if (!stuck) return;
  stuck.parentElement?.style.removeProperty("min-height");
  delete stuck.dataset.stuck;
  stuck = undefined;
}

function chosen() {
  const passed = [...document.querySelectorAll(SLIDERS)].filter((one) => one.checkVisibility() && sticks(one));
  return passed.includes(moved) ? moved : passed[0];
}

// Its own place has left the window, and a figure of its is in it.
function sticks(slider) {
  const own = slider.parentElement.getBoundingClientRect();
  return own.top < 0 && figuresOf(slider).some((box) => {
    const { top, bottom, height } = box.getBoundingClientRect();
    return top > own.top && Math.min(bottom, innerHeight) - Math.max(top, slider.offsetHeight) >= Math.min(LEAST, 0.9 * height);
  });
}

function soon() {
  if (!awaited) requestAnimationFrame(place);
  awaited = true;
}

export function watchForSticking() {
  for (const heard of ["scroll", "resize"]) addEventListener(heard, soon, { capture: true, passive: true });
  addEventListener("pointerdown", ({ target }) => { moved = target.closest?.(SLIDERS) ?? moved; }, true);
  NARROW.addEventListener("change", soon);
}
