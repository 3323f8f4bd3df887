// One plotly figure, updated in place; see plot.py. Streamlit calls the default function for every figure it sends, for
// those that did not change too, and for every change of theme.

const plots = new WeakMap(); // what is known of each box: the figure's text, what is drawn, how to report a selection
const utf8 = new TextDecoder();
const ROOMS = ["on-stage", "docked"]; // where a figure has a height that is not its own; see present.js and docked.js
const PAINTED = 30; // ms in which what was drawn is painted
const LATEST = 500; // ms after which a figure that nobody sees is drawn, busy or not
let library; // the promise of plotly.js, one for all figures

// Plotly rejects, without a reason, the promise of an animation that another one interrupts (Play, then Pause).
window.addEventListener("unhandledrejection", (event) => event.reason === undefined && event.preventDefault());

export default function ({ data, parentElement, setTriggerValue }) {
  const box = parentElement.querySelector(".plot");
  if (!plots.has(box)) begin(box);
  const plot = plots.get(box);
  plot.text = utf8.decode(data);
  plot.report = (names) => setTriggerValue("selected", names);
  plot.observer.observe(box);
  addEventListener("stage", plot.staged);
  draw(box);
  // Streamlit also cleans up after a call that a newer one overtook: the plot ends only when its box has left the page.
  return () => box.isConnected || end(box);
}

function begin(box) {
  const plot = { busy: 0, observer: new ResizeObserver(() => draw(box)), staged: () => draw(box) };
  plots.set(box, plot);
  box.addEventListener("show", ({ detail }) => showElsewhere(box, detail));
}

// The figure at another place of a slider, until the next one comes; its axes hold still. See ui/shell/following.
async function showElsewhere(box, { changes, done }) {
  const plot = plots.get(box);
  if (!plot?.live || plot.busy) return done();
  const figure = JSON.parse(plot.text);
  for (const { keys, value } of changes) {
    keys.slice(0, -1).reduce((part, key) => (part[key] ??= {}), figure)[keys.at(-1)] = value;
  }
  const layout = { height: 450, ...figure.layout, width: box.clientWidth, template: { layout: theme(box) } };
  keepAxes(box, layout);
  fitRoom(box, figure.data, layout);
  plot.drawn = undefined;
  plot.busy += 1;
  identify(figure.data);
  try {
    await window.Plotly.react(box, { data: figure.data, layout, frames: figure.frames });
  } finally {
    plot.busy -= 1;
    done();
  }
}

async function draw(box) {
  const [plot, look] = [plots.get(box), theme(box)];
  const room = ROOMS.find((one) => box.classList.contains(one));
  const wanted = [box.clientWidth, room && [room, box.clientHeight], JSON.stringify(look), plot.text].join("\n");
  // By its class one waits for a figure, so one that is hidden (in a tab) and not drawn yet must not have it.
  if (!plot.live) box.classList.toggle("js-plotly-plot", box.clientWidth > 0);
  if (!box.clientWidth || plot.drawn === wanted) return;
  plot.drawn = wanted;
  // Parsed anew for each drawing: plotly writes zoom and the like into the objects that it is given.
  const figure = JSON.parse(plot.text);
  plot.name = figure.name;
  const layout = { height: 450, ...figure.layout, width: box.clientWidth, template: { layout: look } };
  box.role = null; // where it said that it could not be drawn
  fitRoom(box, figure.data, layout);
  box.style.height = `${layout.height}px`;
  plot.busy += 1;
  try {
    const Plotly = await load(new URL(figure.library, document.baseURI));
    if (!plot.live) await turn(box);
    if (plot.drawn !== wanted) return; // overtaken
    if (!box.isConnected) return void (plot.drawn = undefined); // gone; should it come back, it is drawn then
    identify(figure.data);
    if (figure.selections !== null) forgetSelection(figure, layout);
    if (plot.live) keepAxes(box, layout);
    const first = !plot.live;
    plot.live = true;
    if (first) box.replaceChildren();
    const at = plot.shown === plot.text ? frame(box) : undefined;
    plot.shown = plot.text;
    const config = first ? withDownloads(Plotly, figure.config) : undefined;
    await Plotly.react(box, { data: figure.data, layout, frames: figure.frames, config });
    describe(box, figure.alt);
    if (figure.frames) await goTo(Plotly, box, at ?? frame(box)); // so that Play goes on from here
    if (first && figure.selections !== null) listen(box, plot);
    box.dispatchEvent(new Event("drawn", { bubbles: true }));
  } catch (error) {
    fail(box, plot, error);
  } finally {
    plot.busy -= 1;
  }
}

const waiting = []; // figures that are to be drawn for the first time
let due; // when the next one is, unless that is when there is time

// First what most is seen of, each painted before the next; what nobody sees when there is time for it.
function turn(box) {
  return new Promise((go) => {
    waiting.push({ box, go });
    if (waiting.length === 1 || areaSeen(box)) nextIn(0);
  });
}

function nextIn(ms) {
  due ??= setTimeout(() => { due = undefined; next(); }, ms);
}

function next() {
  if (!waiting.length) return;
  const best = waiting.reduce((one, other) => (areaSeen(other.box) > areaSeen(one.box) ? other : one));
  waiting.splice(waiting.indexOf(best), 1);
  best.go();
  if (!waiting.length) return;
  if (waiting.some(({ box }) => areaSeen(box))) nextIn(PAINTED);
  else (window.requestIdleCallback ?? setTimeout)(next, { timeout: LATEST });
}

function areaSeen(box) {
  const { top, bottom, width } = box.getBoundingClientRect();
  return width * Math.max(Math.min(bottom, innerHeight) - Math.max(top, 0), 0);
}

// One image and what it shows: not the box, as nothing inside an image is a button. Plotly draws in several layers.
function describe(box, alt) {
  const [image, ...layers] = box.querySelectorAll(".main-svg");
  Object.assign(image, { role: "img", ariaLabel: alt });
  for (const layer of layers) layer.ariaHidden = "true";
}

// Axes hold still while a slider moves, and after; see ui/shell/following.
function keepAxes(box, layout) {
  for (const [name, wider] of Object.entries(box.held ?? {})) {
    const range = [...(wider ?? box._fullLayout[name]?.range ?? [])];
    if (!range.length) continue;
    if (wider || box._fullLayout[name]?.autorange) (box.kept ??= {})[name] = String(range); // else it is a reader's
    layout[name] = { ...layout[name], range, autorange: false, uirevision: String(range) };
    box.held[name] = null;
  }
}

function fitRoom(box, traces, layout) {
  if (box.classList.contains("on-stage")) enlarge(box, traces, layout);
  else if (box.classList.contains("docked")) {
    layout.height = box.clientHeight;
    if (box.classList.contains("bare")) layout.showlegend = false;
  }
}

// The figure on stage fills the room that present.js leaves it, and can be read from the back row; in the hand, closer by.
function enlarge(box, traces, layout) {
  const [size, ticks] = box.clientWidth < 640 ? [14, 12] : [22, 17];
  layout.height = box.clientHeight;
  layout.font = { size, ...layout.font };
  for (const note of layout.annotations ?? []) note.font = { ...note.font, size };
  for (const [name, part] of Object.entries(layout)) {
    if (/^[xy]axis/.test(name) && part.tickfont) part.tickfont = { ...part.tickfont, size: Math.max(part.tickfont.size ?? 0, ticks) };
  }
  const { color: ink } = layout.template.layout.font, back = layout.template.layout.paper_bgcolor.slice(0, 7);
  for (const { line } of traces) if (line?.color) line.color = standingOut(line.color, back, ink);
}

// A colour that a line can be seen by, 3 : 1 against what is behind it: as given, or that much nearer to the text's.
function standingOut(colour, back, ink) {
  if (![colour, back, ink].every((one) => /^#[0-9a-f]{6}$/i.test(one))) return colour;
  const mixed = (share) => channels(colour).map((one, at) => one + share * (channels(ink)[at] - one));
  const light = (rgb) => {
    const [r, g, b] = rgb.map((one) => (one <= 10.3 ? one / 3294.6 : ((one / 255 + 0.055) / 1.055) ** 2.4));
    return 0.05 + 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const apart = (share) => {
    const pair = [light(mixed(share)), light(channels(back))];
    return Math.max(...pair) / Math.min(...pair);
  };
  const share = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6].find((one) => apart(one) >= 3) ?? 0.7;
  return share ? `rgb(${mixed(share).map(Math.round)})` : colour;
}

const channels = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));

// Streamlit's theme, as a function that gives the value of one of its variables.
function variables(box) {
  const style = getComputedStyle(box);
  return (name) => style.getPropertyValue(`--st-${name}`).trim();
}

const theme = (box) => template(variables(box));

// A theme, given by its variables, as a template of plotly's; what a figure sets itself wins over it.
function template(st) {
  const [back, border, faint] = [st("background-color"), st("border-color"), st("border-color-light")];
  const font = { family: st("font"), color: st("text-color") };
  // Transparent, but of the page's colour: plotly looks at it to draw the box of a zoom dark or light.
  const clear = /^#[0-9a-f]{6}$/i.test(back) ? `${back}00` : "rgba(0, 0, 0, 0)";
  return {
    font,
    paper_bgcolor: clear,
    plot_bgcolor: clear,
    colorway: st("chart-categorical-colors").split(","),
    hoverlabel: { bgcolor: st("secondary-background-color"), bordercolor: border, font },
    modebar: { bgcolor: clear, color: border, activecolor: font.color },
    newselection: { line: { color: font.color } },
    xaxis: { automargin: true, showgrid: false, gridcolor: faint, zerolinecolor: faint },
    yaxis: { automargin: true, gridcolor: faint, zerolinecolor: faint },
  };
}

// Each trace is known by its name, so that a hidden one stays hidden when others come or go before it. Plotly also looks
// for elements by it, so it has to be one plain word.
function identify(traces) {
  const seen = {};
  for (const trace of traces) {
    const word = `t${trace.name}`.replace(/\W/g, (sign) => `_${sign.charCodeAt(0)}_`);
    seen[word] = (seen[word] ?? 0) + 1;
    trace.uid = `${word}_${seen[word]}`;
  }
}

// The app says what is selected: outline and fading made by the browser end with the figure that answers them.
function forgetSelection({ data, selections }, layout) {
  layout.selectionrevision = selections; // how often the app was told, so that one answer never equals the one before
  layout.selections ??= [];
  for (const trace of data) trace.selectedpoints ??= null;
}

// Where the slider of an animated figure stands; the same figure drawn anew, wider or in another theme, goes on there.
const frame = (box) => box._fullLayout?.sliders?.[0]?.active;

async function goTo(Plotly, box, at) {
  const { args } = box._fullLayout.sliders[0].steps[at];
  await Plotly.relayout(box, { "sliders[0].active": at });
  await Plotly.animate(box, args[0], { mode: "immediate", frame: { duration: 0 }, transition: { duration: 0 } });
}

function listen(box, plot) {
  const report = (points) => {
    if (plot.busy) return; // plotly tells what `forgetSelection` did
    plot.report([...new Set(points.map(told).filter((name) => name != null))]);
  };
  box.on("plotly_selected", (event) => event && report(event.points));
  // The cells of a map cannot be selected: a click is all there is.
  box.on("plotly_click", ({ points }) => points[0].data.type === "heatmap" && report(points));
  box.on("plotly_deselect", () => report([]));
}

// What a point stands for; in a map whose columns stand for something, its column.
const told = ({ customdata, data, x }) => customdata?.[0] ?? data.meta?.[x];

// The page may have loaded it already; see library.py. Beside the page where no server hands it out, as on a static host.
function load(url) {
  library ??= early()
    .catch(() => script(url))
    .catch((error) => script(new URL("plotly.min.js", document.baseURI)).catch(() => { throw error; }))
    .catch((error) => { library = null; throw error; });
  return library;
}

function early() {
  return new Promise((resolve, reject) => {
    const end = () => (window.Plotly ? resolve(window.Plotly) : reject());
    const element = document.getElementById("plotlyjs");
    if (window.Plotly || !element) return end();
    for (const one of ["load", "error"]) element.addEventListener(one, end);
  });
}

function script(url) {
  return new Promise((resolve, reject) => {
    const element = Object.assign(document.createElement("script"), { src: url });
    element.onload = () => (window.Plotly ? resolve(window.Plotly) : element.onerror());
    element.onerror = () => reject(new Error(`plotly.js did not load from ${url.pathname}. Reload the page.`));
    document.head.append(element);
  });
}

function fail(box, plot, error) {
  console.warn(error);
  end(box);
  plots.delete(box); // the next figure begins anew
  box.classList.remove("js-plotly-plot"); // no figure to wait for
  Object.assign(box, { role: "alert", textContent: `The figure cannot be drawn: ${error.message}` });
}

// Nothing is drawn afterwards, and nothing is taken for drawn: Streamlit may put the box back.
function end(box) {
  const plot = plots.get(box);
  plot?.observer.disconnect();
  removeEventListener("stage", plot?.staged);
  window.Plotly?.purge(box);
  if (plot) Object.assign(plot, { live: false, drawn: undefined, shown: undefined });
}
