// Requests for paths; see paths.py.

import { unpack } from "#following/frames.js";
import { afterAnswer, bringsFrames, isToBeAsked } from "./answers.js";
import { state } from "./state.js";
import { drawAlong } from "./track.js";

const RESTS = 300; // ms without a move after which a drag counts as resting
const ANSWERS = 300; // ms after a release until its run begins
const BUSY = 100; // ms between checks whether the server is busy
let visited; // the page whose paths were requested in advance

// On a new page, request the coarse part of each path; after a move, only of the slider in use.
export async function prefetch() {
  const first = visited !== location.pathname;
  visited = location.pathname;
  const { sliders, held } = state;
  const here = [...sliders].filter(([control]) => document.querySelector(`.${control}`)).map(([, one]) => one);
  const wanted = first ? here : [sliders.get(held?.control)].filter(Boolean);
  for (const { word } of wanted) await ask(word, !first);
}

// Request a path: all of it if the pointer is near; during a move, only if nothing of it is known.
export async function ask(word, whole) {
  const { known, wanted } = state;
  if (whole) wanted.add(word);
  if (!isToBeAsked(known.get(word), whole)) return;
  known.set(word, { ...known.get(word), asked: true });
  while (known.get(word)?.asked) await askOnce(word);
}

async function askOnce(word) {
  const { known, wanted } = state;
  while (known.has(word) && isBusy(word)) await new Promise((resolve) => setTimeout(resolve, BUSY));
  if (!known.has(word)) return;
  const ahead = wanted.has(word) ? "" : "?ahead"; // in advance of a move, for which the server computes nothing in a class
  const answer = await fetch(new URL(`path/${word}${ahead}`, document.baseURI)).catch(() => undefined);
  if (!known.has(word)) return; // the page has changed in the meantime
  const answered = answer?.headers.get("X-Path");
  const path = bringsFrames(answered) ? unpack(await answer.arrayBuffer()) : {};
  const found = afterAnswer(answered, wanted.has(word));
  if (!found) return void known.delete(word);
  known.set(word, { ...path, ...found });
  if (state.held) state.held.shown = undefined;
  for (const [control, slider] of state.sliders) if (slider.word === word) drawAlong(control);
}

// During a drag and until it is answered, only that slider's path is requested, and only if nothing of it is known.
function isBusy(word) {
  const { known, sliders, held, released } = state;
  const now = performance.now();
  if (held?.down && sliders.get(held.control)?.word === word && !known.get(word).positions) return false;
  if (held?.down && now < (held.moved ?? now) + RESTS) return true;
  if (document.querySelector(".plot.js-plotly-plot:empty")) return true; // a figure that is not drawn yet
  return now < released + ANSWERS || document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState === "running";
}
