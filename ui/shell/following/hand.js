// Sliders that are followed while they move; see live.py. Streamlit calls the default function at the end of every run.

const NEAR_A_KEY = 600; // ms after a key in which a slider's new value is the hand's
const QUIET = 200; // ms after the last run in which nothing is asked for
const RESTS = 300; // ms after which a hand that holds a thumb rests
const ANSWERS = 300; // ms after a release in which its run begins
const LEFT = 5000; // ms after which an answer of the server is no longer waited for
const known = new Map(); // a path by its word; while it is asked for, nothing but `asked`
const wanted = new Set(); // the words of paths of which all is to be had
let sliders = new Map(); // by the class of the control: the word of the path, and the figures that it moves
let unmoved = []; // the figures that no slider moves
let held; // the slider under the hand: its thumb, its path's word, what was shown last, when a key was pressed
let released = -Infinity; // when a thumb was let go last
let visited; // the page whose paths were asked for without a hand near
let [soon, wait] = [];

export default function ({ data, setTriggerValue }) {
  sliders = new Map(data.sliders.map(({ key, ...rest }) => [name(key), rest]));
  unmoved = data.unmoved;
  const words = new Set(data.sliders.map(({ word }) => word));
  for (const word of known.keys()) words.has(word) || (known.delete(word), wanted.delete(word));
  if (held?.down) held.shown = undefined; // the answer to an earlier move: this one goes on
  else {
    settle();
    if (held?.keys) held.answered = true;
    else held = undefined;
  }
  for (const control of sliders.keys()) draw(control);
  offerHandles((told) => setTriggerValue("dragged", told));
  clearTimeout(soon);
  soon = setTimeout(prefetch, QUIET);
}

const name = (key) => `st-key-${key.trim().replace(/[^a-zA-Z0-9_-]/g, "-")}`;

// --- the hand ---------------------------------------------------------------------------------------------------

function near({ target }) {
  const control = controlOf(target);
  if (control && !held?.down) ask(sliders.get(control).word, true);
}

function controlOf(target) {
  for (let at = target; at instanceof Element; at = at.parentElement) {
    if (sliders.has(at.control)) return at.control; // a thumb in a figure; see handles.js
    for (const one of at.classList) if (sliders.has(one)) return one;
  }
}

function grasp(event) {
  const control = controlOf(event.target);
  if (!control) return;
  near(event);
  const thumb = event.target.thumb ?? document.querySelector(`.${control} input[type=range]`);
  if (!thumb) return;
  const following = held !== undefined;
  held = { ...(held?.control === control ? held : { begun: thumb.value, shown: thumb.value }), control, thumb };
  if (event.type === "pointerdown") Object.assign(held, { down: true, keys: false, begun: thumb.value });
  else Object.assign(held, { keys: true, answered: false, pressed: performance.now() });
  if (!following) requestAnimationFrame(follow);
}

function release() {
  if (!held?.down) return;
  held.down = false;
  held.pressed = released = performance.now(); // the last step of a drag comes with its end
  clearTimeout(wait);
  wait = setTimeout(settle, held.thumb.value === held.begun ? NEAR_A_KEY : LEFT);
}

function follow(now) {
  if (!held) return;
  const inHand = held.down || now - (held.pressed ?? -Infinity) < NEAR_A_KEY;
  if (!inHand || !held.thumb.isConnected) {
    if (held.answered) settle(); // what came after the answer is its own
    held = undefined;
    return;
  }
  const { thumb, control } = held;
  if (thumb.value !== held.last) Object.assign(held, { last: thumb.value, moved: now });
  if (thumb.value !== held.shown && sliders.has(control)) {
    const { word, figures } = sliders.get(control);
    dim(known.get(word), figures);
    if (show(known.get(word), Number(thumb.value), thumb.among)) held.shown = thumb.value;
  }
  requestAnimationFrame(follow);
}

addEventListener("pointerover", near, { passive: true });
addEventListener("focusin", near);
addEventListener("pointerdown", grasp, { capture: true, passive: true });
addEventListener("keydown", grasp, { capture: true, passive: true });
addEventListener("pointerdown", letGo, { capture: true, passive: true });
addEventListener("keydown", fit);
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, release, { capture: true, passive: true });
// A figure that was drawn anew while a hand is on a slider shows another place of it; after a release, the one set.
addEventListener("drawn", ({ target }) => { forget(target); if (held?.down || held?.keys) held.shown = undefined; });

// Figures that a path is too dear for, and what nobody follows: they answer on release.
function dim(path, figures) {
  document.body.classList.add("slider-moves");
  for (const box of document.querySelectorAll('[data-testid="stMain"] .plot')) {
    const among = (keys) => keys.some((key) => box.closest(`.${name(key)}`));
    const followed = among(figures);
    box.classList.toggle("waits", followed ? Boolean(path?.dear) : !among(unmoved));
    box.classList.toggle("says-so", followed && Boolean(path?.dear));
  }
}

// The server has answered: what it shows stands.
function settle() {
  clearTimeout(wait);
  document.body.classList.remove("slider-moves");
  for (const over of document.querySelectorAll(".live-text")) {
    over.parentElement.removeAttribute("data-live");
    over.parentElement.style.minHeight = "";
    over.remove();
  }
  for (const box of document.querySelectorAll(".plot.waits")) box.classList.remove("waits", "says-so");
}
