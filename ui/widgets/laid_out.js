// A figure laid out for a file: always in the light theme's colours on white, as on the screen or for a paper or a slide,
// with or without its caption.

import { captionHeight, captionLines } from "#following/caption.js";
import { fitted } from "#following/fitted.js";
import { PLACES, stageOf, unitOf } from "#following/places.js";
import { template } from "./look.js";
import { SIZES } from "./sizes.js";

const SMALL = 9; // pixels: smallest type of a caption that must fit a slide, where it is twice as large
const SHARE = 0.28; // largest share of a slide's height for a caption
export const FAMILY = '"Source Sans", "Source Sans 3", "Source Sans Pro", Helvetica, Arial, sans-serif';

// Return the figure as on the screen (zoom, hidden legend entries), laid out by plotly, and the lines of its caption.
export async function laidOut(Plotly, box, given, size, caption) {
  const look = onWhite(given.light);
  const figure = asShown(box, given, look);
  const colours = { ink: look.font.color, back: look.paper_bgcolor };
  const place = PLACES[SIZES[size].place];
  if (!place) {
    const [width, height] = [box.clientWidth, box.clientHeight], stage = box.classList.contains("on-stage") && stageOf(width, height, unitOf(window));
    const under = inLines(caption, width, { ...colours, size: stage ? stage.type : figure.layout.font?.size ?? look.font.size });
    return { figure: stage ? { ...figure, ...await fitted(Plotly, figure, stage, FAMILY) } : figure, width, height, zoom: 1, under };
  }
  const { width, height: fixed, most, zoom } = place;
  const under = inLines(caption, width, { ...colours, size: place.type, room: fixed && SHARE * fixed });
  const taken = captionHeight(under.lines, under.size);
  const fit = await fitted(Plotly, figure, { ...place, ...(fixed && { height: fixed - taken }), most: most - taken }, FAMILY);
  return { figure: { ...figure, ...fit }, width, height: fit.layout.height, zoom, under };
}

function onWhite(light) {
  const look = template((name) => light[name]);
  const back = light["background-color"];
  return { ...look, paper_bgcolor: back, plot_bgcolor: back, font: { ...look.font, family: FAMILY, size: 12 } };
}

function asShown(box, { data: asGiven, layout: asked }, look) {
  const layout = { height: 450, ...asked, ...shownAxes(box, asked), template: { layout: look } };
  const figure = { data: structuredClone(box.data), layout, config: { staticPlot: true } };
  for (const [i, { line }] of asGiven.entries()) if (line?.color && figure.data[i]) figure.data[i].line.color = line.color; // without the colours of the stage
  return figure;
}

// The caption of a figure, in the figure's type size, or smaller if it would need too much space.
function inLines(caption, width, { size, room = Infinity, ...colours }) {
  const lines = captionLines(caption, width, size, FAMILY);
  if (captionHeight(lines, size) > room && size > SMALL) return inLines(caption, width, { size: size - 1, room, ...colours });
  return { lines, size, ...colours };
}

// The visible range of each axis, without the larger type of the stage.
function shownAxes(box, asked) {
  const axes = Object.entries(box.layout).filter(([name]) => /^[xy]axis\d*$/.test(name));
  return Object.fromEntries(axes.map(([name, { range, autorange }]) => {
    return [name, { ...asked[name], ...(range && { range: [...range] }), autorange }];
  }));
}
