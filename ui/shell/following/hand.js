// Figures that follow sliders while these move; see live.py. Streamlit calls the default function at the end of every run.

import { forget } from "#following/touched.js";
import { watchAxes } from "./axes.js";
import { watchForDocking } from "./docked.js";
import { offerHandles } from "./handles.js";
import { ask, prefetch } from "./paths.js";
import { show } from "./shown.js";
import { classOf, controlOf, state } from "./state.js";
import { watchForSticking } from "./stuck.js";
import { drawAlong } from "./track.js";
import { uncover } from "./words.js";

const NEAR_A_KEY = 600; // ms after a key press in which a slider's new value comes from the user
const QUIET = 200; // ms after the last run before anything is requested
const LEFT = 5000; // ms to wait for an answer of the server
let [soon, wait] = [];

export default function follow({ data, setTriggerValue }) {
  const { known, wanted, held } = state;
  state.sliders = new Map(data.sliders.map(({ key, ...rest }) => [classOf(key), rest]));
  state.unmoved = data.unmoved;
  const words = new Set(data.sliders.map(({ word }) => word));
  for (const word of known.keys()) {
    if (words.has(word)) continue;
    known.delete(word);
    wanted.delete(word);
  }
  for (const { word, dear } of data.sliders) if (dear) known.set(word, { dear }); // nothing to request
  if (held?.down) held.shown = undefined; // the answer to an earlier move; the current move goes on
  else {
    settle();
    if (held?.keys) held.answered = true;
    else state.held = undefined;
  }
  for (const control of state.sliders.keys()) drawAlong(control);
  offerHandles((place) => setTriggerValue("dragged", place));
  clearTimeout(soon);
  soon = setTimeout(prefetch, QUIET);
}

// --- input ------------------------------------------------------------------------------------------------------

function near({ target }) {
  const control = controlOf(target);
  if (control && !state.held?.down) ask(state.sliders.get(control).word, true);
}

function grasp(event) {
  const control = controlOf(event.target);
  if (!control) return;
  near(event);
  const thumb = event.target.thumb ?? document.querySelector(`.${control} input[type=range]`);
  if (!thumb) return;
  const before = state.held;
  const held = { ...(before?.control === control ? before : { begun: thumb.value, shown: thumb.value }), control, thumb };
  if (event.type === "pointerdown") Object.assign(held, { down: true, keys: false, begun: thumb.value });
  else Object.assign(held, { keys: true, answered: false, pressed: performance.now() });
  state.held = held;
  if (!before) requestAnimationFrame(step);
}

function release() {
  const { held } = state;
  if (!held?.down) return;
  held.down = false;
  held.pressed = state.released = performance.now(); // the last step of a drag is sent at its end
  clearTimeout(wait);
  wait = setTimeout(settle, held.thumb.value === held.begun ? NEAR_A_KEY : LEFT);
}

function step(now) {
  const { held, known, sliders } = state;
  if (!held) return;
  const inHand = held.down || now - (held.pressed ?? -Infinity) < NEAR_A_KEY;
  if (!inHand || !held.thumb.isConnected) {
    if (held.answered) settle(); // anything after the answer is final
    state.held = undefined;
    return;
  }
  const { thumb, control } = held;
  if (thumb.value !== held.last) Object.assign(held, { last: thumb.value, moved: now });
  if (thumb.value !== held.shown && sliders.has(control)) {
    const { word, figures } = sliders.get(control);
    dim(known.get(word), figures);
    if (show(known.get(word), Number(thumb.value), thumb.among)) held.shown = thumb.value;
  }
  requestAnimationFrame(step);
}

addEventListener("pointerover", near, { passive: true });
addEventListener("focusin", near);
addEventListener("pointerdown", grasp, { capture: true, passive: true });
addEventListener("keydown", grasp, { capture: true, passive: true });
watchAxes();
watchForDocking();
watchForSticking();
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, release, { capture: true, passive: true });
// A figure redrawn during a drag is shown for the slider's current position; after the release, for the position set.
addEventListener("drawn", ({ target }) => {
  const { held } = state;
  forget(target);
  if (held?.down || held?.keys) held.shown = undefined;
});

// Figures whose path is too costly, or that do not follow the slider; they change on release.
function dim(path, figures) {
  document.body.classList.add("slider-moves");
  for (const box of document.querySelectorAll('[data-testid="stMain"] .plot')) {
    const among = (keys) => keys.some((key) => box.closest(`.${classOf(key)}`));
    const followed = among(figures);
    box.classList.toggle("waits", followed ? Boolean(path?.dear) : !among(state.unmoved));
    box.classList.toggle("says-so", followed && Boolean(path?.dear));
  }
}

// The server has answered, so its figures are final.
function settle() {
  clearTimeout(wait);
  document.body.classList.remove("slider-moves");
  uncover();
  for (const box of document.querySelectorAll(".plot.waits")) box.classList.remove("waits", "says-so");
}
