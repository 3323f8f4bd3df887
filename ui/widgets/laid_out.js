// A figure laid out anew on paper: always in the light theme's colours on white, as on the screen or for a place in a
// paper or on a slide, with its caption under it or without.

import { captionHeight, captionLines } from "#following/caption.js";
import { axisNamed, roomOf, sliderOf } from "#following/plotly_inside.js";
import { enlarge, template } from "./look.js";
import { enlargeType, fitCells, isOfRows, placeOf, roomOfData, SIZES } from "./sizes.js";

const SMALL = 8; // pixels: the least type of a caption that has to fit a slide
export const FAMILY = '"Source Sans", "Source Sans 3", "Source Sans Pro", Helvetica, Arial, sans-serif';

// What the figure is on the screen (zoom, hidden legend entries, the frame of an animation), as plotly is to lay it out,
// and the lines of what is said under it.
export async function laidOut(Plotly, box, given, size, said) {
  const look = onWhite(given.light);
  const figure = asShown(box, given, look);
  const colours = { ink: look.font.color, back: look.paper_bgcolor };
  if (size === "screen") {
    if (box.classList.contains("on-stage")) enlarge(box, figure.data, figure.layout);
    const width = box.clientWidth, under = inLines(said, width, { ...colours, size: figure.layout.font?.size ?? look.font.size });
    return { figure, width, height: box.clientHeight, zoom: SIZES.screen.zoom, under };
  }
  enlargeType(figure, 12);
  for (const trace of figure.data) if (trace.type === "heatmap") delete trace.textfont?.size; // as large as fits a cell
  const { width, height: fixed, most, room, zoom } = placeOf(SIZES[size]);
  const under = inLines(said, width, { ...colours, size: look.font.size, room });
  const taken = captionHeight(under.lines, under.size);
  const height = await fitting(Plotly, figure, width, { height: fixed && fixed - taken, most: most - taken, zoom: SIZES[size].zoom });
  return { figure, width, height: Math.round(height), zoom, under };
}

function onWhite(light) {
  const look = template((name) => light[name]);
  const back = light["background-color"];
  return { ...look, paper_bgcolor: back, plot_bgcolor: back, font: { ...look.font, family: FAMILY, size: 12 } };
}

function asShown(box, { data: asGiven, layout: asked }, look) {
  const { sliders, updatemenus, ...kept } = { height: 450, ...asked };
  const layout = { ...kept, ...shownAxes(box, asked), template: { layout: look } };
  const at = sliderOf(box)?.active;
  if (sliders) layout.margin = { ...layout.margin, b: 8 };
  if (at !== undefined) layout.annotations = [...(layout.annotations ?? []), placeSaid(sliders[0], at)];
  const figure = { data: structuredClone(box.data), layout, config: { staticPlot: true } };
  for (const [i, { line }] of asGiven.entries()) if (line?.color && figure.data[i]) figure.data[i].line.color = line.color; // as on no stage
  return figure;
}

// What is said under a figure, in type as large as the figure's, or smaller where it would take too much room.
function inLines(said, width, { size, room = Infinity, ...colours }) {
  const lines = captionLines(said, width, size, FAMILY);
  if (captionHeight(lines, size) > room && size > SMALL) return inLines(said, width, { size: size - 1, room, ...colours });
  return { lines, size, ...colours };
}

// Of each axis the part that a person looks at; on stage its type is another one.
function shownAxes(box, asked) {
  const axes = Object.entries(box.layout).filter(([name]) => /^[xy]axis\d*$/.test(name));
  return Object.fromEntries(axes.map(([name, { range, autorange }]) => {
    return [name, { ...asked[name], ...(range && { range: [...range] }), autorange }];
  }));
}

// Paper has no slider: where it stands is said in words.
function placeSaid({ currentvalue, steps }, at) {
  const text = `${currentvalue?.prefix ?? ""}${steps[at].label}${currentvalue?.suffix ?? ""}`;
  const corner = { xref: "paper", yref: "paper", x: 1, y: 1, xanchor: "right", yanchor: "bottom" };
  return { ...corner, text, showarrow: false };
}

// The height that leaves the data as much room as they have on the screen, at most as a page of that width has, unless it is
// given; what stands around them (a legend in more lines) is measured.
async function fitting(Plotly, figure, width, { height, most, zoom }) {
  const asked = height ?? figure.layout.height;
  const trial = Object.assign(document.createElement("div"), { ariaHidden: "true" });
  trial.style = "position: fixed; left: -9999px; top: 0";
  document.body.append(trial);
  try {
    const layout = { ...structuredClone(figure.layout), width, height: asked };
    await Plotly.newPlot(trial, structuredClone(figure.data), layout, figure.config);
    const [across, up] = ["xaxis", "yaxis"].map((name) => axisNamed(trial, name));
    for (const trace of figure.data) if (trace.meta?.cells) fitCells(trace, Math.abs(across.d2p(1) - across.d2p(0)), zoom);
    const room = roomOfData(asked, width, isOfRows(figure, up?.range ?? [0, 1]));
    return height ?? Math.min(asked - roomOf(trial).h + room, most);
  } finally {
    Plotly.purge(trial);
    trial.remove();
  }
}
