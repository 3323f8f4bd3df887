// The step of the guided path where one was: opening its plain address leads there again; see reopened.py.

import { storeText, storedText } from "../widgets/stored.js";

const KEY = "evalcore guided path";
const PATIENCE = 3000; // ms after which the page is shown whether or not it was answered
let here = ""; // where the path was seen last
let wanted; // the step that was asked for, until it is shown
let reopened; // the step that was reopened, while it is on the screen

export default function reopen({ data, parentElement, setTriggerValue }) {
  const [sentence] = parentElement.querySelectorAll("p");
  const arrived = here !== location.pathname;
  here = location.pathname;
  const kept = arrived && data.plain ? storedText(KEY) : "";
  if (data.steps.includes(kept) && kept !== data.step) {
    wanted = reopened = kept;
    setTriggerValue("step", kept);
    setTimeout(shown, PATIENCE);
  } else {
    if (data.step !== reopened) reopened = "";
    if (!wanted) shown();
    else if (wanted === data.step) shownWith(data.title);
    if (!wanted || wanted === data.step) storeText(KEY, data.step);
  }
  sentence.hidden = data.step !== reopened || data.step === data.steps[0];
  parentElement.querySelector("button").onclick = () => setTriggerValue("step", data.steps[0]);
  return () => parentElement.isConnected || location.pathname === here || leave();
}

// The rest of the step comes after this.
function shownWith(title) {
  const there = [...document.querySelectorAll('[data-testid="stMain"] :is(h2, h3)')].some((one) => one.textContent.trim() === title);
  if (there || !wanted) shown();
  else requestAnimationFrame(() => shownWith(title));
}

// Until then a style hides what follows.
function shown() {
  wanted = undefined;
  document.documentElement.classList.add("step-known");
}

function leave() {
  here = "";
  document.documentElement.classList.remove("step-known");
}
