// One plotly figure, updated in place; see plot.py. Streamlit calls the default function for every figure it sends, also
// for unchanged ones, and after every change of theme.

import { keepAxes } from "#following/axes.js";
import { setIn } from "#following/changes.js";
import { fitted, refitted } from "#following/fitted.js";
import { handOf, PHONE, stageOf, unitOf } from "#following/places.js";
import { loadPlotly } from "./library.js";
import { standOut, theme } from "./look.js";
import { withDownloads } from "./save.js";
import { forgetSelection, identify, meant } from "./traces.js";
import { turn } from "./turns.js";

const plots = new WeakMap(); // state of each box: the figure's text, what is drawn, how to report a selection
const utf8 = new TextDecoder();
// On a phone: pixels of a low figure, of one with names at the ends of lines, and of a small one; limits of its contents.
const HAND = { height: 300, named: 390, least: 150, most: 560, small: 240, type: 9, rows: 9, entries: 3, names: 3, long: 30 };
const ROOMS = ["on-stage", "docked"]; // classes that determine a figure's height; see present.js and docked.js

export default function show({ data, parentElement, setTriggerValue }) {
  const box = parentElement.querySelector(".plot");
  if (!plots.has(box)) begin(box);
  const plot = plots.get(box);
  plot.text = utf8.decode(data);
  plot.report = (names) => setTriggerValue("selected", names);
  plot.observer.observe(box);
  addEventListener("stage", plot.staged);
  draw(box);
  // Streamlit also cleans up after a call replaced by a newer one, so the plot ends only when its box has left the page.
  return () => box.isConnected || end(box);
}

function begin(box) {
  const plot = { busy: 0, observer: new ResizeObserver(() => draw(box)), staged: () => draw(box) };
  plots.set(box, plot);
  box.addEventListener("show", ({ detail }) => showElsewhere(box, detail));
}

// Show the figure at another slider position, until the next figure arrives; its axes stay fixed. See ui/shell/following.
async function showElsewhere(box, { changes, done }) {
  const plot = plots.get(box);
  if (!plot?.live || plot.busy) return done();
  const figure = JSON.parse(plot.text);
  setIn(figure, changes);
  const layout = laidOut(box, figure, theme(box));
  keepAxes(box, layout);
  identify(figure.data);
  const shown = fitRoom(box, figure.data, layout, (other, place, family) => refitted(other, place, family, plot.room));
  plot.drawn = undefined;
  plot.busy += 1;
  try {
    await window.Plotly.react(box, { data: shown.data, layout: shown.layout });
  } finally {
    plot.busy -= 1;
    done();
  }
}

function laidOut(box, { data, layout }, look) {
  const shown = { height: 450, ...layout, width: box.clientWidth, template: { layout: look } };
  return shown.width < PHONE ? inHand(data, shown) : shown;
}

function inRows({ yaxis: { type, tickvals = [] } = {}, annotations = [], meta, height }) {
  const beside = annotations.some(({ showarrow, x, xref }) => showarrow && x === 0 && xref === "paper");
  return type === "category" || tickvals.length > HAND.rows || beside || meta?.panels || height > HAND.most;
}

// On a phone, finding, figure and slider share a screen: a figure without rows is low, and shows names only on touch.
function inHand(data, layout) {
  const rows = inRows(layout);
  const named = data.filter(({ showlegend }) => showlegend).length;
  const ends = (layout.annotations ?? []).filter(({ x, xref }) => x === 1 && xref === "paper"); // names at the ends of lines
  const height = ends.length ? HAND.named : layout.height > HAND.small ? HAND.height : HAND.least;
  for (const name of rows ? [] : ends) name.font = { ...name.font, size: HAND.type };
  const across = layout.xaxis && narrowed(layout.xaxis, rows, layout.width), { title } = layout.yaxis ?? {};
  const up = title?.text?.length > HAND.long && { yaxis: { ...layout.yaxis, title: { ...title, text: title.text.split(": ")[0] } } };
  return { ...layout, ...(across && { xaxis: across }), ...up, height: rows ? layout.height : Math.min(layout.height, height), ...(named > HAND.entries && { showlegend: false }) };
}

// Names of rows leave little space for an axis: column heads are vertical, and a long title has two lines.
function narrowed(axis, rows, width) {
  const { ticktext: heads = [], title } = axis, words = title?.text ?? "";
  const middle = words.lastIndexOf(" ", words.length * 0.6), long = words.length * (rows ? 14 : 8) > width && middle > 0;
  return {
    ...axis,
    ...(rows && heads.length > 2 && { tickangle: -90, tickfont: { size: HAND.type }, ticktext: heads.map((head) => head.replaceAll("<br>", " ")) }),
    ...(long && { title: { ...title, text: `${words.slice(0, middle)}<br>${words.slice(middle + 1)}` } }),
  };
}

async function draw(box) {
  const [plot, look] = [plots.get(box), theme(box)];
  const room = ROOMS.find((one) => box.classList.contains(one));
  const wanted = [box.clientWidth, room && [room, box.clientHeight], JSON.stringify(look), plot.text].join("\n");
  // Scripts wait for a figure by its class, so a hidden figure (in a tab) that is not drawn yet must not have it.
  if (!plot.live) box.classList.toggle("js-plotly-plot", box.clientWidth > 0);
  if (!box.clientWidth || plot.drawn === wanted) return;
  plot.drawn = wanted;
  // Parsed for each drawing, because plotly writes zoom and so on into the objects it gets.
  const figure = JSON.parse(plot.text);
  const layout = laidOut(box, figure, look);
  box.role = null; // it may have announced an error
  box.style.height = `${room === "on-stage" ? box.clientHeight : layout.height}px`;
  plot.busy += 1;
  try {
    const Plotly = await loadPlotly(new URL(figure.library, document.baseURI));
    if (!plot.live) await turn(box);
    if (plot.drawn !== wanted) return; // replaced by a newer one
    if (!box.isConnected) return void (plot.drawn = undefined); // removed; drawn if it returns
    await put(Plotly, box, figure, layout);
  } catch (error) {
    fail(box, plot, error);
  } finally {
    plot.busy -= 1;
  }
}

async function put(Plotly, box, figure, layout) {
  const plot = plots.get(box), wanted = plot.drawn;
  identify(figure.data);
  if (figure.selections !== null) forgetSelection(figure, layout);
  if (plot.live) keepAxes(box, layout);
  const shown = await fitRoom(box, figure.data, layout, (given, place, family) => fitted(Plotly, given, place, family));
  if (plot.drawn !== wanted) return; // replaced by a newer one
  const first = !plot.live;
  if (first) box.replaceChildren();
  Object.assign(plot, { live: true, room: shown.room });
  const config = first ? withDownloads(Plotly, figure.config, () => plot.text) : undefined;
  await Plotly.react(box, { data: shown.data, layout: shown.layout, config });
  describe(box, figure.alt);
  if (first && figure.selections !== null) listen(box, plot);
  box.dispatchEvent(new Event("drawn", { bubbles: true }));
}

// Mark the drawing as one image with a description; not the box, because an image must not contain buttons. Plotly has layers.
function describe(box, alt) {
  const [image, ...layers] = box.querySelectorAll(".main-svg");
  Object.assign(image, { role: "img", ariaLabel: alt });
  for (const layer of layers) layer.ariaHidden = "true";
}

// A figure on stage fills the space that present.js leaves, a docked one the space that its slider leaves; each is laid out
// for that, and numbers in cells or many names for a phone.
function fitRoom(box, data, layout, layOut) {
  const [staged, docked] = ["on-stage", "docked"].map((one) => box.classList.contains(one));
  if (staged || docked) layout.height = box.clientHeight;
  if (docked && box.classList.contains("bare")) layout.showlegend = false;
  if (staged) standOut(data, layout);
  if (!(staged || docked || (box.clientWidth < PHONE && isDense(data, layout)))) return { data, layout };
  const room = [box.clientWidth, box.clientHeight];
  const place = staged ? stageOf(...room, unitOf(window)) : docked ? stageOf(...room) : handOf(box.clientWidth, layout.height);
  return layOut({ data, layout }, place, layout.template.layout.font.family);
}

function isDense(data, { annotations = [], yaxis }) {
  const names = annotations.filter(({ showarrow }) => showarrow).length;
  return names > HAND.names || yaxis?.ticktext?.length > HAND.rows || data.some(({ meta }) => meta?.cells);
}

function listen(box, plot) {
  const report = (points) => {
    if (!plot.busy) plot.report(meant(points)); // otherwise the event comes from `forgetSelection`
  };
  box.on("plotly_selected", (event) => event && report(event.points));
  // The cells of a map cannot be selected, only clicked.
  box.on("plotly_click", ({ points }) => points[0].data.type === "heatmap" && report(points));
  box.on("plotly_deselect", () => report([]));
}

function fail(box, plot, error) {
  console.warn(error);
  end(box);
  plots.delete(box); // the next figure starts from nothing
  box.classList.remove("js-plotly-plot"); // there is no figure to wait for
  Object.assign(box, { role: "alert", textContent: `The figure cannot be drawn: ${error.message}` });
}

// Nothing is drawn afterwards, and nothing counts as drawn, because Streamlit may put the box back.
function end(box) {
  const plot = plots.get(box);
  plot?.observer.disconnect();
  removeEventListener("stage", plot?.staged);
  window.Plotly?.purge(box);
  if (plot) Object.assign(plot, { live: false, drawn: undefined });
}
