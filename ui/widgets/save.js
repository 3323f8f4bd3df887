// A figure leaves as a file: always in the light theme's colours on white, as on the screen or laid out anew for a place in a
// paper or on a slide, with its caption under it or without. Joined to plot.js by plot.py: `withDownloads` is all that plot.js asks
// of it.

const INCH = 96; // CSS pixels
const TYPE = 9; // points: what plotly's 12 pixels are, and the least that a layout below has
// A layout is as wide as its place divided by `zoom`, then enlarged by it: type, marks and lines keep their proportions.
// `said`: whether the caption is drawn under it, until a person says otherwise; a paper has its captions from LaTeX.
const SIZES = {
  screen: { label: "As on the screen", zoom: 1, said: true },
  column: { label: "One column, 85 mm", suffix: ", one column", width: 85 / 25.4, zoom: 8 / TYPE, dpi: 600 },
  columns: { label: "Two columns, 175 mm", suffix: ", two columns", width: 175 / 25.4, zoom: 1, dpi: 300 },
  slide: { label: "Slide, 16 : 9", suffix: ", slide", width: 40 / 3, height: 7.5, zoom: 18 / TYPE, dpi: 192, said: true },
};
const [SMALL, SHARE] = [8, 0.28]; // a caption on a slide has type of so many pixels at least, to take no more of its height than that
const SAID = "evalcore captions in files";
const LEAST = 5; // points: the smallest numbers in the cells of a map
const TALLEST = 240 / 25.4; // inches: what a page has
const TALL = 540; // pixels: what most figures are high
const FACE = "Source Sans"; // as Streamlit calls it, and its file in a PDF
const SVG = "http://www.w3.org/2000/svg";
const FAMILY = '"Source Sans", "Source Sans 3", "Source Sans Pro", Helvetica, Arial, sans-serif';
const PAGE = { width: 24, height: 24, path: "M5 2h9l6 6v14H5V2zm8 1.6V9h5.4L13 3.6zM12.5 19l4-4.2h-2.8V11h-2.4v3.8H8.5l4 4.2z" };

function withDownloads(Plotly, config) {
  const one = (format, icon) => ({
    name: format,
    title: `Save as ${format.toUpperCase()}`,
    icon,
    click: (box) => save(Plotly, box, "screen", format, isSaid("screen") ? captionOf(box) : "").catch((error) => menu(Plotly, box, failed(error))),
  });
  const more = { name: "sizes", title: "Save for a paper or a slide", icon: PAGE, click: (box) => menu(Plotly, box) };
  return { ...config, modeBarButtonsToAdd: [one("png", Plotly.Icons.camera), one("svg", Plotly.Icons.disk), more] };
}

const failed = (error) => `Not saved: ${error.message}`;

// --- the caption ------------------------------------------------------------------------------------------------------

// What the page has under the figure, and what a person wrote there: present.js knows.
function asked(box) {
  const detail = {};
  box.dispatchEvent(new CustomEvent("caption", { bubbles: true, detail }));
  return detail;
}

function captionOf(box) {
  const { usual, own } = asked(box);
  return own || usual || "";
}

const isSaid = (size) => remembered()[size] ?? Boolean(SIZES[size].said);

// A browser may refuse to keep anything.
function remembered() {
  try {
    return JSON.parse(localStorage.getItem(SAID)) ?? {};
  } catch {
    return {};
  }
}

function remember(size, said) {
  try {
    localStorage.setItem(SAID, JSON.stringify({ ...remembered(), [size]: said }));
  } catch {}
}

// --- the menu ---------------------------------------------------------------------------------------------------------

// The caption to edit; every size in every format, a click each; Escape or a click elsewhere closes it.
function menu(Plotly, box, note = "") {
  const button = box.querySelector(".modebar-btn[data-title^='Save for']");
  const open = Object.assign(document.createElement("div"), { className: "save-menu", popover: "auto", role: "dialog" });
  open.ariaLabel = "Save figure";
  open.append(Object.assign(document.createElement("p"), { textContent: "Save in light colours" }));
  const { usual, own } = asked(box);
  const words = captionBox(own || usual, usual);
  if (usual !== undefined) open.append(words.parentElement);
  const said = Object.assign(document.createElement("p"), { role: "status", textContent: note });
  for (const [size, { label }] of Object.entries(SIZES)) {
    open.append(Object.assign(document.createElement("span"), { textContent: label }));
    const under = tick(size, label);
    open.append(under.parentElement);
    for (const format of ["pdf", "svg", "png"]) {
      const choice = Object.assign(document.createElement("button"), { type: "button", textContent: format.toUpperCase() });
      choice.ariaLabel = `${label}, as ${choice.textContent}`;
      choice.onclick = async () => {
        said.textContent = "Saving";
        try {
          await save(Plotly, box, size, format, under.checked ? words.value.trim() || usual || "" : "");
          open.hidePopover();
        } catch (error) {
          console.warn(error);
          said.textContent = failed(error);
        }
      };
      open.append(choice);
    }
  }
  open.append(said);
  open.addEventListener("toggle", ({ newState }) => {
    if (newState !== "closed") return;
    open.remove();
    if (usual !== undefined) box.dispatchEvent(new CustomEvent("caption", { bubbles: true, detail: { text: words.value } }));
  });
  box.parentElement.append(open); // not into the box, which plotly empties
  open.showPopover();
  const [place, at] = [open.getBoundingClientRect(), button.getBoundingClientRect()];
  open.style.left = `${Math.max(8, Math.min(at.right, innerWidth - 8) - place.width)}px`;
  open.style.top = `${Math.max(8, Math.min(at.bottom + 4, innerHeight - 8 - place.height))}px`;
  open.querySelector("button").focus();
}

function captionBox(text, usual) {
  const label = Object.assign(document.createElement("label"), { textContent: "Caption" });
  const words = Object.assign(document.createElement("textarea"), { value: text, placeholder: usual ?? "", rows: 4, maxLength: 2000 });
  words.title = "The first of several paragraphs is in bold type. Empty: as the page says it";
  label.append(words);
  return words;
}

function tick(size, label) {
  const under = Object.assign(document.createElement("input"), { type: "checkbox", checked: isSaid(size) });
  under.ariaLabel = `Caption under it: ${label}`;
  under.onchange = () => remember(size, under.checked);
  const words = Object.assign(document.createElement("label"), { textContent: "caption" });
  words.prepend(under);
  return under;
}

// --- the file ---------------------------------------------------------------------------------------------------------

async function save(Plotly, box, size, format, said) {
  const { name, alt, saving } = JSON.parse(plots.get(box).text);
  const { suffix = "", dpi = 2 * INCH } = SIZES[size];
  const { figure, width, height, zoom, under } = await laidOut(Plotly, box, size, said);
  const file = `${name}${settings(name)}${suffix}.${format}`;
  const drawn = await Plotly.toImage(figure, { format: "svg", width, height, imageDataOnly: true });
  const whole = height + captionHeight(under.lines, under.size);
  const svg = inInches(drawn, { width, height, whole, zoom, alt, under });
  if (format === "png") return hand(await png(svg, width, whole, (zoom * dpi) / INCH, saving), file);
  if (format === "svg") return hand(new Blob([svg], { type: "image/svg+xml" }), file);
  return hand(await pdf(svg, width * zoom, whole * zoom, { title: name, subject: alt }, saving), file);
}

function hand(content, file) {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(content), download: file });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

// What the figure is now (zoom, hidden legend entries, the frame of an animation), on paper: as plotly is to lay it out, and the
// lines of what is said under it.
async function laidOut(Plotly, box, size, said) {
  const { data: asGiven, layout: asked, light } = JSON.parse(plots.get(box).text);
  const look = template((name) => light[name]);
  Object.assign(look, { paper_bgcolor: light["background-color"], plot_bgcolor: light["background-color"] });
  look.font = { ...look.font, family: FAMILY, size: 12 };
  const { sliders, updatemenus, ...kept } = { height: 450, ...asked };
  const layout = { ...kept, ...shownAxes(box, asked), template: { layout: look } };
  if (sliders) layout.margin = { ...layout.margin, b: 8 };
  const at = frame(box);
  if (at !== undefined) layout.annotations = [...(layout.annotations ?? []), caption(sliders[0], at)];
  const figure = { data: structuredClone(box.data), layout, config: { staticPlot: true } };
  for (const [at, { line }] of asGiven.entries()) if (line?.color && figure.data[at]) figure.data[at].line.color = line.color; // as on no stage
  const { zoom, ...place } = SIZES[size], colours = { ink: look.font.color, back: look.paper_bgcolor };
  if (size === "screen" && box.classList.contains("on-stage")) enlarge(box, figure.data, layout);
  if (size === "screen") {
    const width = box.clientWidth, under = inLines(said, width, { ...colours, size: layout.font?.size ?? look.font.size });
    return { figure, width, height: box.clientHeight, zoom, under };
  }
  enlargeType(figure, 12);
  for (const trace of figure.data) if (trace.type === "heatmap") delete trace.textfont?.size; // as large as fits a cell
  const [width, given, most] = [place.width, place.height, TALLEST].map((inches) => inches && Math.round((inches * INCH) / zoom));
  const under = inLines(said, width, { ...colours, size: look.font.size, room: given && SHARE * given });
  const taken = captionHeight(under.lines, under.size);
  const height = await fitting(Plotly, figure, width, { height: given && given - taken, most: most - taken, zoom });
  return { figure, width, height: Math.round(height), zoom: (place.width * INCH) / width, under }; // exactly as wide as its place
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
function caption({ currentvalue, steps }, at) {
  const text = `${currentvalue?.prefix ?? ""}${steps[at].label}${currentvalue?.suffix ?? ""}`;
  const corner = { xref: "paper", yref: "paper", x: 1, y: 1, xanchor: "right", yanchor: "bottom" };
  return { ...corner, text, showarrow: false };
}

// No type smaller than `least` pixels, wherever a figure sets its own.
function enlargeType(part, least) {
  for (const [name, inner] of Object.entries(part ?? {})) {
    if (typeof inner !== "object" || inner === null || ArrayBuffer.isView(inner)) continue;
    if (/font$/.test(name) && typeof inner.size === "number") inner.size = Math.max(inner.size, least);
    if (!Array.isArray(inner) || typeof inner[0] === "object") enlargeType(inner, least);
  }
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
    const { _size: size, xaxis } = trial._fullLayout;
    for (const trace of figure.data) if (trace.meta?.cells) fitCells(trace, Math.abs(xaxis.d2p(1) - xaxis.d2p(0)), zoom);
    const room = isOfRows(figure, trial._fullLayout.yaxis) ? asked - 80 : Math.min(asked - 80, 0.62 * width);
    return height ?? Math.min(asked - size.h + Math.max(room, 40), most);
  } finally {
    Plotly.purge(trial);
    trial.remove();
  }
}

// Whether a figure is as high as it is for its rows, which must not come closer: many of them, or ranks from the first down.
function isOfRows({ data, layout }, { range }) {
  return layout.height > TALL || (range[0] > range[1] && !data.some(({ type }) => type === "heatmap"));
}

// The numbers in the cells of a map are as large as fits; where nobody could read them, the colours speak alone.
function fitCells(trace, across, zoom) {
  const longest = Math.max(...trace.text.map((text) => text.length));
  const size = Math.min(trace.textfont.size, (0.92 * across) / (0.56 * longest));
  if (size * zoom * (72 / INCH) < LEAST) trace.mode = "markers";
  else trace.textfont.size = size;
}

function inInches(svg, { width, height, whole, zoom, alt, under: { lines, ...look } }) {
  const drawn = new DOMParser().parseFromString(svg, "image/svg+xml");
  const root = drawn.documentElement;
  root.setAttribute("viewBox", `0 0 ${width} ${whole}`);
  root.setAttribute("width", `${+((width * zoom) / INCH).toFixed(4)}in`);
  root.setAttribute("height", `${+((whole * zoom) / INCH).toFixed(4)}in`);
  if (lines.length) addCaption(root, lines, { width, height, family: FAMILY, ...look });
  root.prepend(Object.assign(drawn.createElementNS(root.namespaceURI, "title"), { textContent: alt }));
  return new XMLSerializer().serializeToString(drawn);
}

// A browser draws an SVG as a picture with no font of the page: it has to bring its own, or its words are wider than their room.
async function png(svg, width, height, scale, { font }) {
  const face = `<style>@font-face { font-family: "${FACE}"; src: url(data:font/ttf;base64,${await fontText(font)}); }</style>`;
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([svg.replace(">", `>${face}`)], { type: "image/svg+xml" }));
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [Math.round(width * scale), Math.round(height * scale)];
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

// Vector, with the font in it: every sign that it has is text, any other one a picture.
async function pdf(svg, width, height, about, { script, converter, font }) {
  await loadScript(script);
  await loadScript(converter);
  const [across, down] = [width, height].map((pixels) => (pixels * 72) / INCH);
  const orientation = across > down ? "landscape" : "portrait";
  const page = new jspdf.jsPDF({ unit: "pt", format: [across, down], orientation, compress: true, putOnlyUsedFonts: true });
  page.setProperties({ ...about, creator: "evalcore" });
  page.addFileToVFS("font.ttf", await fontText(font));
  page.addFont("font.ttf", FACE, "normal");
  page.setFont(FACE);
  const holder = Object.assign(document.createElement("div"), { innerHTML: svg, ariaHidden: "true" });
  holder.style = "position: fixed; left: -9999px; top: 0";
  document.body.append(holder);
  try {
    const drawn = holder.firstElementChild;
    for (const text of drawn.querySelectorAll("text")) prepare(text, page.getFont().metadata);
    await page.svg(drawn, { x: 0, y: 0, width: across, height: down });
  } finally {
    holder.remove();
  }
  return new Blob([named(page.output("arraybuffer"))], { type: "application/pdf" });
}

// jsPDF calls the order of glyphs Identity-H, as the encoding is called; readers that check complain.
function named(bytes) {
  const [wrong, right] = ["/Ordering (Identity-H)", "/Ordering (Identity)  "];
  const text = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join("");
  return Uint8Array.from(text.replaceAll(wrong, right), (sign) => sign.charCodeAt(0));
}

// One face is embedded: bold is that with an outline, and a text with signs that it lacks (as names of systems may have) becomes a picture of itself.
function prepare(text, face) {
  for (const part of [text, ...text.querySelectorAll("*")]) {
    const { fontWeight, fontSize, fill } = getComputedStyle(part);
    if (fontWeight >= 600) Object.assign(part.style, { stroke: fill, strokeWidth: `${0.04 * parseFloat(fontSize)}px` });
    Object.assign(part.style, { fontFamily: FACE, fontWeight: "normal", fontStyle: "normal" });
  }
  const lines = text.querySelectorAll("tspan.line");
  for (const line of lines.length ? lines : [text]) {
    if ([...line.textContent].every((sign) => /\s/.test(sign) || face.characterToGlyph(sign.codePointAt(0)))) continue;
    text.before(pictured(line));
    line.textContent = "";
  }
}

function pictured(line) {
  const { x, y, width, height } = line.getBBox();
  const { fontSize, fontFamily, fill } = getComputedStyle(line);
  const canvas = document.createElement("canvas");
  const sharp = 6;
  Object.assign(canvas, { width: Math.ceil(width * sharp) || 1, height: Math.ceil(height * sharp) || 1 });
  const pen = canvas.getContext("2d");
  Object.assign(pen, { font: `${parseFloat(fontSize) * sharp}px ${fontFamily}`, fillStyle: fill, textBaseline: "bottom" });
  pen.fillText(line.textContent, 0, canvas.height);
  const image = document.createElementNS(SVG, "image");
  const turned = line.closest("text").getAttribute("transform") ?? "";
  const all = { x, y, width, height, transform: turned, href: canvas.toDataURL(), preserveAspectRatio: "none" };
  for (const [name, value] of Object.entries(all)) image.setAttribute(name, value);
  return image;
}

const scripts = {};
function loadScript(path) {
  scripts[path] ??= new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement("script"), { src: new URL(path, document.baseURI) });
    script.onload = resolve;
    script.onerror = () => reject(new Error(`${path} did not load`));
    document.head.append(script);
  }).catch((error) => { delete scripts[path]; throw error; });
  return scripts[path];
}

// jsPDF takes a font in base64.
async function fontText(path) {
  const answer = await fetch(new URL(path, document.baseURI));
  if (!answer.ok) throw new Error(`${path} did not load`);
  const reader = new FileReader();
  reader.readAsDataURL(await answer.blob());
  await new Promise((resolve) => { reader.onload = resolve; });
  return reader.result.slice(reader.result.indexOf(",") + 1);
}

// What is set stands in the address. It is asked for when a picture is saved: in the figure it would make every figure of
// the page another one at every move.
function settings(name) {
  const said = {};
  for (const [key, text] of new URLSearchParams(location.search)) {
    const short = key.split(".").at(-1);
    if (!["on", "present", "entry"].includes(key) && !name.includes(`${short} `)) (said[short] ??= []).push(text);
  }
  const texts = Object.entries(said).map(([key, values]) => `, ${key}=${values.join(",")}`);
  return texts.join("").replace(/[^\p{L}\p{N}_ .,()=@-]+/gu, "_").slice(0, 80);
}
