// On a narrow page, a slider stays at the top of the window while a figure that follows it is in view: the slider moved
// last, else the first. Its place in the page is kept, so that nothing else moves.

import { figuresOf, NARROW } from "./docked.js";

const SLIDERS = '[data-testid="stMain"] [data-testid="stSlider"]';
const LEAST = 120; // visible pixels of a figure (or nearly all of a lower one) that keep its slider in view
let stuck; // the slider kept in view
let moved; // the slider moved last
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

// True if its place has left the window while one of its figures is in it.
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
