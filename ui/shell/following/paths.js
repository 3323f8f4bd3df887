// Paths: asked for and read; see paths.py.

import { unpack } from "#following/frames.js";
import { afterAnswer, bringsFrames, isToBeAsked } from "./answers.js";
import { state } from "./state.js";
import { drawAlong } from "./track.js";

const RESTS = 300; // ms after which a hand that holds a thumb rests
const ANSWERS = 300; // ms after a release in which its run begins
const BUSY = 100; // ms after which one looks again whether the server is
let visited; // the page whose paths were asked for without a hand near

// The first time on a page, what is quickly had of each path; after a move, of the slider that has the hand.
export async function prefetch() {
  const first = visited !== location.pathname;
  visited = location.pathname;
  const { sliders, held } = state;
  const here = [...sliders].filter(([control]) => document.querySelector(`.${control}`)).map(([, one]) => one);
  const wanted = first ? here : [sliders.get(held?.control)].filter(Boolean);
  for (const { word } of wanted) await ask(word, !first);
}

// Ask for a path, for all of it where a hand is near; while the hand moves, only where nothing of it is there.
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
  const ahead = wanted.has(word) ? "" : "?ahead"; // of a hand: in a class the server computes nothing then
  const answer = await fetch(new URL(`path/${word}${ahead}`, document.baseURI)).catch(() => undefined);
  if (!known.has(word)) return; // of a page that has changed meanwhile
  const answered = answer?.headers.get("X-Path");
  const path = bringsFrames(answered) ? unpack(await answer.arrayBuffer()) : {};
  const found = afterAnswer(answered, wanted.has(word));
  if (!found) return void known.delete(word);
  known.set(word, { ...path, ...found });
  if (state.held) state.held.shown = undefined;
  for (const [control, slider] of state.sliders) if (slider.word === word) drawAlong(control);
}

// While a hand moves a thumb and until it is answered, only a path of which nothing is there is asked for: its own.
function isBusy(word) {
  const { known, sliders, held, released } = state;
  const now = performance.now();
  if (held?.down && sliders.get(held.control)?.word === word && !known.get(word).positions) return false;
  if (held?.down && now < (held.moved ?? now) + RESTS) return true;
  if (document.querySelector(".plot.js-plotly-plot:empty")) return true; // a figure that is to be drawn
  return now < released + ANSWERS || document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState === "running";
}
