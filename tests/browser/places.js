// Draws a figure for a place, and says what of its texts is wrong there: see test_places.py.

import { isWithin, overlap } from "#following/boxes.js";
import { fitted } from "#following/fitted.js";
import { PLACES, stageOf } from "#following/places.js";
import { textsOf } from "#following/plotly_inside.js";

const FAMILY = '"Source Sans", sans-serif';
const AXIS = { automargin: true, showgrid: false };
const LOOK = { font: { family: FAMILY, color: "#0e1620" }, paper_bgcolor: "#ffffff", plot_bgcolor: "#ffffff", xaxis: AXIS, yaxis: AXIS };
const STAGE = [1248, 590]; // pixels that a window of 1280 x 720 leaves

window.wrongIn = async ({ data, layout: asked }, name) => {
  const place = { ...PLACES, stage: stageOf(...STAGE) }[name];
  const figure = await fitted(window.Plotly, { data, layout: { ...asked, font: { family: FAMILY }, template: { layout: LOOK } } }, place, FAMILY);
  const { width, height } = figure.layout, box = document.createElement("div");
  document.body.replaceChildren(box);
  await window.Plotly.newPlot(box, figure.data, figure.layout, { staticPlot: true });
  const texts = textsOf(box), frame = { left: 0, top: 0, right: width, bottom: height };
  const named = ({ kind, text }) => `${kind} "${text}"`;
  const outside = texts.filter((one) => !isWithin(one.box, frame)).map((one) => `${named(one)} leaves the frame`);
  const on = texts.flatMap((one, at) => texts.slice(0, at).filter((other) => overlap(one.box, other.box)).map((other) => `${named(one)} lies on ${named(other)}`));
  const small = texts.filter(({ size }) => size < place.least - 0.01).map((one) => `${named(one)} has type of ${one.size}`);
  window.Plotly.purge(box);
  return { wrong: [...outside, ...on, ...small], leftOut: figure.leftOut ?? [], texts: texts.length, height };
};
