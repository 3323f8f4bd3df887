// @ts-check
// Places in which a figure is seen, and what a figure is in each: a figure is made for the page, and laid out anew for a
// column of a paper, two columns, a slide, a stage, a phone. Here it is values alone; fitted.js draws and looks.

import { broken } from "./lines.js";
import { numbers } from "./numbers.js";
import { pushedApart } from "./boxes.js";

const INCH = 96; // CSS pixels
const UNIT = 16; // pixels
const TALLEST = 240 / 25.4; // inches: what a page of paper has
const ROW = 1.3; // the height of a row, by its type
const BESIDE = 0.36; // of the width that names beside a figure take at most
const both = (/** @type {Place} */ { width }) => (width < PHONE ? 2 : 1.6); // by how much less where names stand on both sides
const BENEATH = 0.3; // of the height that names under it take at most
const LEGEND = 0.22; // of the height that a legend takes at most
const ALL = 5; // rows of a legend that take more, where nothing is left out then; one more with two to a row
const LABELLED = 8; // lines that are named at their ends at most
const TELLING = 8; // letters of a name cut short that still tell whose it is
const [KEY, MORE] = [48, 116]; // pixels of an entry of a legend beside its words; of the count of those left out
const [BIG, WIDE] = [14, 640]; // pixels of marks that grow with the room; of the room that they are made for
const EACH = 3; // rows for each that has a name, at most, where they are rows and no scale
const MANY = 40; // rows of many of which a page has no more
const LEAST_MARK = 5; // pixels of a mark that makes room for its name
export const PHONE = 400; // pixels across of what is no wider than a phone
const BESIDE_ROWS = 0.06; // of what rows span across, on either side
const UNDER = 0.6; // of the height that rows under another figure take at most

/**
 * A place: pixels across of a layout, pixels down where it has no say, the most it may be high; its usual type and the
 * least, in pixels; by how much all is enlarged afterwards: type, marks and lines keep their proportions; by how much marks
 * and lines are, where type alone is larger; whether it is one in which a hand selects.
 * @typedef {{ width: number, height?: number, most: number, type: number, least: number, zoom: number, marks?: number, selects?: boolean }} Place
 * @typedef {(text: string, size: number) => number} Measure the pixels across of a text
 * @typedef {Record<string, any>} Part
 * @typedef {{ data: Part[], layout: Part }} Figure
 * @typedef {{ l: number, t: number, w: number, h: number }} Room what margins leave of a drawn figure
 */

/** @param {number} inches @param {number} zoom @param {{ type: number, least: number, height?: number }} rest @returns {Place} */
function onPaper(inches, zoom, { height, ...rest }) {
  const pixels = (/** @type {number} */ one) => Math.round((one * INCH) / zoom);
  return { ...rest, width: pixels(inches), ...(height && { height: pixels(height) }), most: pixels(height ?? TALLEST), zoom: (inches * INCH) / pixels(inches) };
}

/** 8 of 7 points in a column, 9 of 7.5 in two, 18 of 15 on a slide. @type {Record<"column" | "columns" | "slide", Place>} */
export const PLACES = {
  column: onPaper(85 / 25.4, 8 / 9, { type: 12, least: 10.5 }),
  columns: onPaper(175 / 25.4, 1, { type: 12, least: 10 }),
  slide: onPaper(40 / 3, 2, { height: 7.5, type: 12, least: 10 }),
};

/** A stage is as large as its box; in the hand, closer by, its type is smaller, and on a larger screen (`unit`, pixels for
 * the 16 of 1280 x 720) it is larger.
 * @param {number} width @param {number} height @param {number} [unit] @returns {Place} */
export function stageOf(width, height, unit = UNIT) {
  const by = unit / UNIT, [type, least, marks] = width < 640 * by ? [14, 12, 1] : [22, 18, 1.5];
  return { width, height, most: height, type: type * by, least: least * by, zoom: 1, marks: marks * by };
}

/** The unit of type on a stage, which grows with the screen as the stage's texts do. @param {{ innerWidth: number, innerHeight: number }} screen */
export const unitOf = ({ innerWidth, innerHeight }) => Math.max(UNIT, Math.min(innerHeight / 45, innerWidth / 80));

/** In the hand a figure of the page is as high as there, and shows what is selected. @param {number} width @param {number} height @returns {Place} */
export const handOf = (width, height) => ({ width, height, most: height, type: 12, least: 10, zoom: 1, selects: true });

// --- before it is drawn -----------------------------------------------------------------------------------------------

/** A figure in the type of a place, without traces of a hand; its legend is left for when its margins are known.
 * @param {Figure} given @param {Place} place @param {Measure} measure @returns {Figure & { entries: Part[] }} */
export function begun({ data, layout }, place, measure) {
  const figure = { ...structuredClone({ data, layout }), entries: /** @type {Part[]} */ ([]) };
  setType({ data: figure.data, layout: figure.layout }, place);
  figure.layout.font = { ...figure.layout.font, size: place.type };
  figure.layout.width = place.width;
  adapt(figure, place);
  if (layout.meta?.names && !place.selects) for (const id of axesOf(layout, "y")) figure.layout[id].showticklabels = true;
  const entries = entriesOf(figure);
  setMargins(figure.layout, (text) => measure(words(text ?? ""), place.type), place, entries.length > 0);
  if (!labelledAtEnds(figure, entries)) figure.entries = entries;
  figure.layout.showlegend = false;
  writeNotes(figure.layout.annotations ?? [], place, measure);
  for (const trace of figure.data) if (trace.mode === "text") nameMarks(trace, place, measure);
  return figure;
}

/** Parts as a place has them: marks, numbers in cells, ticks of a triangle; what a hand has left is none. @param {Figure} figure @param {Place} place */
function adapt({ data, layout }, place) {
  for (const trace of data) {
    enlarge(trace, place.marks ?? 1);
    if (trace.meta?.cells) trace.textfont = { ...trace.textfont, size: place.least };
  }
  for (const shape of layout.shapes ?? []) if (shape.name === "selection" && !place.selects) shape.visible = false;
  for (const name of ["aaxis", "baxis", "caxis"]) if (layout.ternary?.[name]) Object.assign(layout.ternary[name], { tickvals: [0.25, 0.5, 0.75], tickformat: ".2~f" });
}

/** Of rows of which the page names some: the names of all. @param {Part} layout */
function nameRows(layout) {
  for (const [id, names] of Object.entries(layout.meta?.rows ?? {})) {
    Object.assign(layout[id], { tickvals: names.map((/** @type {string} */ _, /** @type {number} */ at) => at), ticktext: names, showticklabels: true });
    layout.annotations = layout.annotations?.filter((/** @type {Part} */ note) => !isBeside(note));
  }
}

/** Marks and lines that are seen as far as the type is. @param {Part} trace @param {number} by */
function enlarge({ type = "scatter", marker, line, meta }, by) {
  if (by === 1 || meta?.cells || !/^scatter/.test(type)) return;
  const larger = (/** @type {any} */ size) => (typeof size === "number" ? size * by : numbers(size).map((one) => one * by));
  for (const part of [marker, line]) {
    for (const name of ["size", "width"]) if (part?.[name] !== undefined) part[name] = larger(part[name]);
  }
}

/** Names of marks and lines no longer than names beside a figure, sentences in lines. @param {Part[]} notes @param {Place} place @param {Measure} measure */
function writeNotes(notes, place, measure) {
  const size = (/** @type {Part} */ note) => note.font?.size ?? place.type;
  for (const note of notes) if (note.showarrow === false && note.yshift) note.yshift *= place.marks ?? 1; // from a mark
  const names = notes.filter(({ showarrow, x, xref }) => showarrow !== false || (x === 1 && xref === "paper"));
  const sides = new Set(notes.filter(isBeside).map(({ x }) => x)).size;
  const most = (BESIDE * place.width) / (sides > 1 ? both(place) : 1), largest = Math.max(...names.map(size));
  const short = shortened(names.map(({ text }) => text ?? ""), (text) => measure(text, largest) <= most);
  names.forEach((note, at) => { note.text = short[at]; });
  for (const note of notes.filter((one) => !names.includes(one) && one.text && groundOf(one) === undefined)) {
    const lines = note.text.split("<br>").flatMap((/** @type {string} */ line) => (measure(words(line), size(note)) <= 0.9 * place.width ? [line]
      : broken(words(line), (part) => measure(part, size(note)) <= 0.8 * place.width).map(escaped)));
    note.text = lines.join("<br>");
  }
}

/** Words beside marks: names as notes have them; words that are alone are a sentence. @param {Part} trace @param {Place} place @param {Measure} measure */
function nameMarks(trace, place, measure) {
  const texts = Array.from(trace.text, String), size = trace.textfont?.size ?? place.type;
  const fits = (/** @type {number} */ share) => (/** @type {string} */ text) => measure(text, size) <= share * place.width;
  trace.text = texts.length > 1 ? shortened(texts, fits(BESIDE)) : texts.map((text) => titled(text, fits(0.8)));
}

/** Rooms for names and a legend are measured here: those of the page are for its type. The names of a triangle stand over
 * its corners. @param {Part} layout @param {(text?: string) => number} wide @param {Place} place @param {boolean} named by a legend */
function setMargins(layout, wide, place, named) {
  const above = (layout.annotations ?? []).some((/** @type {Part} */ { y, yref }) => yref === "paper" && y >= 1) || (layout.margin?.t > 30 && (!named || layout.ternary));
  const [l, r] = ["baxis", "caxis"].map((corner) => 8 + wide(layout.ternary?.[corner]?.title?.text) / 2);
  layout.margin = { ...layout.margin, l, r, b: 8, t: Math.max(above ? layout.margin?.t : 14, layout.title?.text ? 2 * place.type : 0) };
}

/** Type as large as its place wants it, wherever a figure sets its own. @param {any} part @param {Place} place */
function setType(part, place) {
  for (const [name, inner] of Object.entries(part ?? {})) {
    if (typeof inner !== "object" || inner === null || ArrayBuffer.isView(inner)) continue;
    if (/font$/.test(name) && typeof inner.size === "number") inner.size = Math.max((inner.size * place.type) / 12, place.least);
    if (!Array.isArray(inner) || typeof inner[0] === "object") setType(inner, place);
  }
}

/** The traces that a legend names, in their order. @param {Figure} figure */
export function entriesOf({ data, layout }) {
  const named = data.filter((trace) => trace.name && trace.showlegend !== false && trace.visible !== false && trace.type !== "heatmap");
  return layout.showlegend === false || (named.length < 2 && !layout.showlegend && !named[0]?.showlegend) ? [] : named;
}

/** The legend in rows over the figure, each entry as wide as its name: every row is a legend of its own, as plotly gives all
 * entries of one the width of the widest. How many pixels it takes. @param {Figure} figure @param {Part[]} entries
 * @param {Place} place @param {Measure} measure @param {number} wide pixels of the room, which is what plotly gives a legend */
function setLegend(figure, entries, place, measure, wide) {
  if (!entries.length) return 0;
  const { layout } = figure, size = place.type, row = 1.6 * size;
  const most = Math.max(Math.floor((LEGEND * (place.height ?? 0.8 * place.width)) / row), 2);
  // As long as rows are wide; or where all have room then, two to a row.
  const within = (/** @type {number} */ pixels) => shortened(entries.map(({ name }) => name), (text) => measure(text, size) <= pixels - KEY);
  const tries = [Math.max(wide, 0.65 * place.width), 0.45 * wide].map(within);
  const inEntries = (/** @type {string[]} */ all, /** @type {number} */ count) => inRows(all.map((name) => measure(words(name), size) + KEY), wide, count);
  const whole = tries.findIndex((all, at) => inEntries(all, ALL + at).length === all.length);
  const names = tries[Math.max(whole, 0)], rows = inEntries(names, whole < 0 ? most : ALL + whole);
  entries.forEach((trace, at) => Object.assign(trace, { name: names[at], showlegend: at < rows.length, legend: legendId(rows[at]) }));
  const left = entries.length - rows.length;
  const nowhere = layout.ternary ? { type: "scatterternary", a: [null], b: [null], c: [null] } : { type: "scatter", x: [null], y: [null] };
  const blank = { ...nowhere, mode: "markers", marker: { color: "rgba(0, 0, 0, 0)" }, hoverinfo: "skip" };
  if (left && !figure.data.some(({ meta }) => meta?.role === "more")) figure.data.push({ ...blank, meta: { role: "more" }, name: `and ${left} more`, showlegend: true, legend: legendId(rows[rows.length - 1]) });
  const count = rows[rows.length - 1] + 1;
  const traceorder = /reversed/.test(layout.legend?.traceorder) ? "reversed" : "normal"; // groups would stand on each other
  for (let at = 0; at < count; at++) {
    const corner = { xref: "container", x: 0, xanchor: "left", yref: "container", y: 1 - (2 + at * row) / layout.height, yanchor: "top" };
    // Each is higher than its row: its ground would cover the feet of the letters above.
    layout[legendId(at)] = { itemsizing: "constant", ...layout.legend, ...corner, orientation: "h", bgcolor: "rgba(0, 0, 0, 0)", font: { ...layout.legend?.font, size }, traceorder };
  }
  layout.showlegend = true;
  return Math.ceil(count * row) + 4;
}

const legendId = (/** @type {number} */ row) => (row ? `legend${row + 1}` : "legend");

/** The row of each thing, one after the other; of those that have no room in so many rows none, and the last has room for
 * their count. @param {number[]} widths @param {number} wide @param {number} most */
export function inRows(widths, wide, most) {
  /** @type {number[]} */
  const rows = [];
  let [row, taken] = [0, 0];
  for (const one of widths) {
    if (taken && taken + one > wide) [row, taken] = [row + 1, 0];
    if (row >= most) break;
    rows.push(row);
    taken += one;
  }
  const fits = () => sum(widths.filter((_, at) => rows[at] === most - 1)) + MORE <= wide;
  while (rows.length > 1 && rows.length < widths.length && !fits()) rows.pop();
  return rows;
}

const sum = (/** @type {number[]} */ values) => values.reduce((all, one) => all + one, 0);

/** Lines are named where they end, in their colour, in place of a legend. @param {Figure} figure @param {Part[]} entries */
function labelledAtEnds(figure, entries) {
  const lines = entries.every((trace) => (trace.type ?? "scatter") === "scatter" && /lines/.test(trace.mode ?? "lines") && !trace.fill && !trace.visible);
  const notes = figure.layout.annotations ?? [], right = Object.values(figure.layout).some((part) => part?.side === "right");
  const ends = lines && entries.length <= LABELLED ? entries.map((trace) => endOf(trace, figure.layout)) : [];
  if (right || !ends.length || ends.some((end) => !end) || notes.some((/** @type {Part} */ { x, xref }) => x === 1 && xref === "paper")) return false;
  const labels = entries.map((trace, at) => ({
    ...ends[at], text: trace.name, xref: "paper", x: 1, xanchor: "left", ax: 10, ay: 0, showarrow: true, arrowhead: 0, arrowwidth: 1,
    arrowcolor: trace.line?.color, font: { color: trace.line?.color },
  }));
  figure.layout.annotations = [...notes, ...labels];
  return true;
}

/** Whether a note names what ends at a side of the axes. @param {Part} note */
export const isBeside = ({ showarrow, xref, x, yref = "y" }) => showarrow !== false && xref === "paper" && (x === 0 || x === 1) && yref !== "paper";

/** Such names by axis and side, with the pixels that each needs. @param {Part} layout @param {Place} place */
function namesBeside(layout, place) {
  const on = (/** @type {string} */ id, /** @type {number} */ side) => (layout.annotations ?? []).filter((/** @type {Part} */ note) => isBeside(note) && note.x === side && (note.yref ?? "y") === id.replace("axis", ""));
  const all = axesOf(layout, "y").flatMap((id) => [0, 1].map((side) => ({ axis: layout[id], notes: on(id, side) }))).filter(({ notes }) => notes.length);
  return all.map((one) => ({ ...one, row: ROW * (one.notes[0].font?.size ?? place.type) }));
}

/** Such names one under the other, each at a line to where it ends; those without room are counted in the last.
 * @param {Figure} figure @param {number} height @param {Place} place */
function arrangeBeside({ layout }, height, place) {
  for (const { notes, axis: { range, domain = [0, 1] }, row } of namesBeside(layout, place).filter(({ axis }) => axis.range)) {
    const tall = height * (domain[1] - domain[0]), down = (/** @type {Part} */ { y }) => ((range[1] - y) / (range[1] - range[0])) * tall;
    const order = notes.toSorted((/** @type {Part} */ one, /** @type {Part} */ other) => down(one) - down(other)), fit = Math.max(Math.floor(tall / row) + 1, 2);
    for (const note of order.slice(fit)) note.visible = false;
    if (order.length > fit) Object.assign(order[fit - 1], { text: `and ${order.length - fit + 1} more`, y: range[0], font: { size: place.least }, arrowcolor: "rgba(0, 0, 0, 0)" });
    const kept = order.slice(0, fit), apart = pushedApart(kept.map(down), row, 0, tall);
    kept.forEach((/** @type {Part} */ note, /** @type {number} */ at) => { note.ay = apart[at] - down(note); });
  }
}

/** Where a line ends: its last height, where it reaches the right end of what is drawn. @param {Part} trace @param {Part} layout */
function endOf(trace, layout) {
  const y = numbers(trace.y), last = y.findLastIndex(Number.isFinite);
  const yref = trace.yaxis ?? "y", axis = layout[`yaxis${yref.slice(1)}`] ?? {};
  if (last < 0 || (trace.xaxis ?? "x") !== "x") return undefined;
  return { yref, y: axis.type === "log" ? Math.log10(y[last]) : y[last] };
}

// --- names ------------------------------------------------------------------------------------------------------------

const words = (/** @type {string} */ text) => text.replace(/<[^>]*>/g, "").replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&");
const escaped = (/** @type {string} */ text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

/** Names that fit, each another one as before: of long ones the middle is left out, or where that is all that tells them
 * apart, the end or the beginning. @param {string[]} names @param {(text: string) => boolean} fits */
export function shortened(names, fits) {
  if (names.every((name) => fits(words(name)))) return names;
  const different = new Set(names.map(words)).size;
  const tries = [0.5, 0.25, 0.75, 0, 1].map((head) => names.map((name) => shorter(name, head, fits)));
  return tries.find((found) => new Set(found.map(words)).size === different) ?? tries[0];
}

/** @param {string} name @param {number} head the share of it that is its beginning @param {(text: string) => boolean} fits */
function shorter(name, head, fits) {
  const [, before, inner, after] = name.match(/^((?:<[^>]*>)*)(.*?)((?:<\/[^>]*>)*)$/s) ?? [];
  const signs = [...words(inner)];
  if (fits(signs.join(""))) return name;
  const cut = (/** @type {number} */ kept) => {
    const first = Math.round(head * kept);
    return `${signs.slice(0, first).join("")}…${kept > first ? signs.slice(first - kept).join("") : ""}`;
  };
  let [low, high] = [0, signs.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    [low, high] = fits(cut(middle)) ? [middle, high] : [low, middle - 1];
  }
  return before + escaped(cut(low)) + after;
}

/** A title in lines that fit, two at most. @param {string} text @param {(line: string) => boolean} fits @returns {string} */
export function titled(text, fits) {
  const bold = text?.match(/^<b>(.*)<\/b>$/s);
  if (bold) return `<b>${titled(bold[1], fits)}</b>`;
  if (!text || text.split("<br>").every((line) => fits(words(line)))) return text;
  const whole = words(text.replace(/<br>/g, " ")).split(/\s+/).map((word) => words(shorter(escaped(word), 0.5, fits)));
  const lines = broken(whole.join(" "), fits);
  const kept = lines.length > 2 ? [lines[0], words(shorter(escaped(lines.slice(1).join(" ")), 0.7, fits))] : lines;
  return kept.map(escaped).join("<br>");
}

// --- once its margins are known ---------------------------------------------------------------------------------------

/** The figure as high as its rows want it, with as many of them as can be read; titles in lines, names that fit.
 * @param {Figure & { entries?: Part[] }} figure as begun @param {Place} place @param {Room} room @param {Measure} measure
 * @param {number} [usual] pixels of its data on the page @returns {Figure} */
export function arranged(figure, place, room, measure, usual = 460) {
  const { layout, entries = [] } = figure;
  nameRows(layout);
  // What stands above the data stays next to them, and the legend above that.
  const legend = setLegend(figure, entries, place, measure, 0.96 * room.w), beside = layout.height - room.h + legend;
  if (legend) layout.margin = { ...layout.margin, t: room.t + legend };
  const named = figure.data.map((trace) => rowsMarked(trace, layout, place));
  const rows = [...axesOf(layout, "y").map((id) => rowsOf(figure, id, place)), ...figure.data.map((trace) => rowsWritten(trace) * ROW * place.least), ...named];
  const beneath = namesBeside(layout, place).map(({ axis: { domain: [low, high] = [0, 1] }, notes, row }) => (notes.length * row) / (high - low));
  const wanted = Math.max(...beneath, Math.min(usual, shapeOf(layout) * place.width), ...rows);
  layout.height = Math.round(place.height ?? Math.min(Math.max(wanted, 60) + beside, place.most));
  const height = Math.max(layout.height - beside, 40);
  if (legend) setLegend(figure, entries, place, measure, 0.96 * room.w); // at that height
  scaleMarks(figure, room.w);
  figure.data.forEach((trace, at) => { if (named[at] > height) makeRoom(trace, named[at] - height, layout); });
  raiseRows(figure, height, place);
  nameGrounds(figure, room.w, height, place, measure);
  for (const id of axesOf(layout, "y")) arrangeUp(figure, id, place, height, measure);
  for (const id of axesOf(layout, "x")) arrangeAcross(figure, id, place, room.w, measure);
  arrangeBeside(figure, height, place);
  return figure;
}

/** The height of the data by their width: more where figures stand on each other. @param {Part} layout */
function shapeOf(layout) {
  const floors = new Set(axesOf(layout, "y").filter((id) => !layout[id].overlaying).map((id) => layout[id].domain?.[0] ?? 0));
  return floors.size > 1 ? 0.9 : 0.62;
}

/** Marks whose size says something shrink with the room. @param {Figure} figure @param {number} wide */
function scaleMarks({ data }, wide) {
  for (const { marker, meta } of data) {
    const sizes = numbers(marker?.size?.bdata || Array.isArray(marker?.size) ? marker.size : [marker?.size]);
    if (meta?.cells || !(Math.max(...sizes) > BIG) || wide >= WIDE) continue;
    marker.size = sizes.map((size) => size * Math.max(wide / WIDE, 0.4));
  }
}

/** The pixels that rows of marks want whose names stand under them or over them. @param {Part} trace @param {Part} layout @param {Place} place */
function rowsMarked(trace, layout, place) {
  const { span, share } = rowsNamed(trace, layout);
  return span && (span * (trace.marker.size + ROW * (trace.textfont?.size ?? place.type))) / share;
}

/** How many rows that is from end to end of their axis, and the share of the height that it has. @param {Part} trace @param {Part} layout */
function rowsNamed({ type = "scatter", mode, textposition, y, yaxis = "y", marker }, layout) {
  const axis = layout[`yaxis${yaxis.slice(1)}`] ?? {}, [low, high] = axis.domain ?? [0, 1];
  const apart = type === "scatter" && /text/.test(mode) && /^(top|bottom) center$/.test(textposition) && marker?.size > 0 && axis.range;
  return { span: apart && new Set(numbers(y)).size > 1 ? Math.abs(axis.range[1] - axis.range[0]) : 0, share: high - low };
}

/** Marks so small that their names have room beside the next row. @param {Part} trace @param {number} lack pixels @param {Part} layout */
function makeRoom(trace, lack, layout) {
  const { span, share } = rowsNamed(trace, layout);
  trace.marker.size = Math.max(trace.marker.size - (lack * share) / span, LEAST_MARK);
}

/** Where the height is given, rows under another figure take of its room what they want. @param {Figure} figure @param {number} height @param {Place} place */
function raiseRows(figure, height, place) {
  const { layout } = figure, ids = axesOf(layout, "y"), domain = (/** @type {string} */ id) => layout[id].domain ?? [0, 1];
  const above = ids.filter((id) => domain(id)[0] > 0), beneath = ids.filter((id) => domain(id)[0] === 0 && domain(id)[1] < 1);
  const [low, high] = [Math.max(...beneath.map((id) => domain(id)[1])), Math.min(...above.map((id) => domain(id)[0]))];
  const wanted = Math.min(Math.max(...beneath.map((id) => rowsOf(figure, id, place) * domain(id)[1])) / height, UNDER);
  if (!above.length || !(wanted > low) || low > high) return;
  for (const id of beneath) layout[id].domain = [0, (domain(id)[1] * wanted) / low];
  for (const id of above) layout[id].domain = domain(id).map((/** @type {number} */ end) => 1 - ((1 - end) * (1 - wanted - (high - low))) / (1 - high));
}

/** Names that stand on a ground, which says its share of the axis or of the side of a triangle, are no longer than it.
 * @param {Figure} figure @param {number} wide @param {number} tall @param {Place} place @param {Measure} measure */
function nameGrounds({ data, layout }, wide, tall, place, measure) {
  const within = (/** @type {string} */ text, /** @type {number} */ across, /** @type {number} */ size) => {
    const name = shorter(text, 0.5, (part) => measure(part, size) <= across - 8);
    return name === text || words(name).length > TELLING ? name : "";
  };
  for (const note of layout.annotations ?? []) {
    const share = groundOf(note);
    if (share === undefined) continue;
    const [low, high] = layout[`xaxis${(note.xref ?? "x").slice(1)}`]?.domain ?? [0, 1];
    note.text = within(note.text, share * wide * (high - low), note.font?.size ?? place.type);
    note.visible = note.text !== "";
  }
  for (const trace of data.filter(({ meta }) => meta?.within)) {
    const side = Math.min(wide, (tall * 2) / Math.sqrt(3));
    trace.text = Array.from(trace.text, (text, at) => text && within(text, trace.meta.within[at] * side, trace.textfont?.size ?? place.type));
  }
}

/** @param {Part} note */
const groundOf = ({ name }) => (/^within /.test(name) ? Number(name.slice(7)) : undefined);

/** @param {Part} layout @param {"x" | "y"} letter */
const axesOf = (layout, letter) => Object.keys(layout).filter((id) => new RegExp(`^${letter}axis\\d*$`).test(id));

/** What stands on an axis of names: their places, their texts, both ends, and how many rows that is; dense rows stand at whole
 * numbers and most have a name: on a scale of 0 to 100 a few.
 * Of an axis of categories the names of all: plotly takes the number 8 for the category "8".
 * @typedef {{ places: number[], texts: string[], ends: number[], span: number, dense: boolean, all?: string[] }} Named
 * @param {Figure} figure @param {string} id @returns {Named | undefined} */
export function namedOn({ data, layout }, id) {
  const axis = layout[id];
  if (axis.visible === false || axis.showticklabels === false) return undefined;
  const log = axis.type === "log", values = axis.type === "category" ? [] : numbers(axis.tickvals);
  const found = axis.type === "category" ? categories(data, id, axis) : { places: log ? values.map(Math.log10) : values, texts: axis.ticktext ?? [] };
  const texts = Array.from(found.texts, String);
  if (!texts.length || texts.length !== found.places.length) return undefined;
  const last = Math.max(...found.places);
  const ends = axis.range ? Array.from(numbers(axis.range)) : axis.autorange === "reversed" ? [last + 0.5, -0.5] : [-0.5, last + 0.5];
  const whole = found.places.every((place) => Math.abs(place - Math.round(place)) < 1e-6);
  const dense = !log && whole && last - Math.min(...found.places) < EACH * texts.length;
  return { ...found, texts, ends, span: Math.abs(ends[1] - ends[0]), dense };
}

/** The categories of an axis by their numbers, with the names of those that have one. @param {Part[]} data @param {string} id @param {Part} axis */
function categories(data, id, axis) {
  const [letter, own] = [id[0], id.replace("axis", "")];
  const on = data.filter((trace) => (trace[`${letter}axis`] ?? letter) === own);
  const all = [...new Set(on.flatMap((trace) => Array.from(trace[letter] ?? [], String)))];
  const named = axis.ticktext && new Map(Array.from(axis.tickvals, (one, at) => [String(one), axis.ticktext[at]]));
  const places = all.map((_, at) => at).filter((at) => !named || named.has(all[at]));
  return { all, places, texts: places.map((at) => named?.get(all[at]) ?? all[at]) };
}

/** The pixels that the rows of an axis want. @param {Figure} figure @param {string} id @param {Place} place */
function rowsOf(figure, id, place) {
  const named = namedOn(figure, id);
  if (!named) return 0;
  const [low, high] = figure.layout[id].domain ?? [0, 1];
  const lines = Math.max(...named.texts.map((text) => text.split("<br>").length));
  const rows = Math.min(rowsIn(named), figure.layout.meta?.rows?.[id] ? MANY : Infinity);
  return ((named.dense ? rows * lines + 0.7 : named.texts.length) * ROW * place.least) / (high - low);
}

/** Whether words are whole, or still say whose they are. @param {string} line */
const tells = (line) => !line.includes("…") || words(line).length > TELLING;

/** The rows of a map whose cells say something. @param {Part} trace */
function rowsWritten({ type, texttemplate, z }) {
  if (type !== "heatmap" || !texttemplate) return 0;
  return z.shape ? Number.parseInt(z.shape, 10) : z.length;
}

const overlaid = (/** @type {Part} */ layout, /** @type {string} */ id) => layout[id].overlaying ? layout[`${id[0]}axis${layout[id].overlaying.slice(1)}`] : layout[id];

/** @param {Figure} figure @param {string} id @param {Place} place @param {number} height @param {Measure} measure */
function arrangeUp(figure, id, place, height, measure) {
  const { layout } = figure, axis = layout[id];
  const [low, high] = overlaid(layout, id).domain ?? [0, 1];
  const tall = height * (high - low), size = axis.tickfont?.size ?? place.type;
  writeTitle(axis, (line) => measure(line, place.type) <= tall, place);
  const named = namedOn(figure, id);
  if (!named) return;
  axis.ticklabelstandoff = 4; // what begins where its axis does touches no name
  const row = ROW * place.least, fit = Math.max(Math.floor(tall / row), 2);
  axis.tickfont = { ...axis.tickfont, size: Math.min(size, Math.max(place.least, tall / named.span / ROW)) };
  const type = named.dense && rowsIn(named) <= fit ? axis.tickfont.size : place.least;
  axis.tickfont.size = type;
  const sides = axesOf(layout, "y").filter((one) => namedOn(figure, one)).some((one) => layout[one].overlaying) ? 2 : 1;
  const most = (BESIDE * place.width) / (sides > 1 ? both(place) : 1);
  const texts = shortened(named.texts, (text) => measure(text, type) <= most);
  const shown = { ...named, texts };
  if (!named.dense) spread(axis, shown, tall, row);
  else if (rowsIn(named) <= fit) setTicks(axis, shown);
  else fold(figure, id, shown, fit);
}

/** The rows of an axis, whether they have names or not: from its upper end to the lowest name. @param {Named} named */
function rowsIn({ places, ends: [bottom, top] }) {
  const first = bottom > top ? Math.ceil(top) : Math.floor(top);
  return Math.max(...places.map((place) => Math.abs(place - first))) + 1;
}

/** @param {Part} axis @param {{ places: number[], texts: string[], all?: string[] }} named */
function setTicks(axis, { places, texts, all }) {
  const tickvals = places.map((place) => (axis.type === "log" ? 10 ** place : all ? all[place] : place));
  Object.assign(axis, { tickmode: "array", tickvals, ticktext: texts });
}

/** @param {Named} named @param {number} n @returns {Named} */
const everyNth = ({ places, texts, ...rest }, n) => ({ ...rest, places: places.filter((_, at) => at % n === 0), texts: texts.filter((_, at) => at % n === 0) });

/** The first rows from above, and in the last the count of the others, with nothing of the row that stands there.
 * @param {Figure} figure @param {string} id @param {Named} named @param {number} fit */
function fold(figure, id, { places, texts, all, ends: [bottom, top] }, fit) {
  const { layout } = figure;
  const axis = layout[id], on = Math.sign(bottom - top), first = on > 0 ? Math.ceil(top) : Math.floor(top), last = first + on * (fit - 1);
  const kept = places.map((_, at) => at).filter((at) => (last - places[at]) * on > 0), more = `and ${places.length - kept.length} more`;
  const count = axis.overlaying ? { places: [], texts: [] } : { places: [last], texts: [more] };
  setTicks(axis, { places: [...kept.map((at) => places[at]), ...count.places], texts: [...kept.map((at) => texts[at]), ...count.texts], all });
  Object.assign(axis, { range: [last + 0.6 * on, top], autorange: false, folded: true });
  for (const across of axesOf(layout, "x")) narrow(figure, across, id, (row) => (last - row) * on > 0);
  if (axis.overlaying) return;
  const fillcolor = (layout.plot_bgcolor ?? layout.template?.layout?.plot_bgcolor ?? "#ffffff").slice(0, 7); // without its transparency
  const ground = { type: "rect", xref: "paper", x0: 0, x1: 1, yref: id.replace("axis", ""), y0: last - 0.5 * on, y1: last + 0.6 * on };
  layout.shapes = [...(layout.shapes ?? []), { ...ground, fillcolor, line: { width: 0 }, layer: "above" }];
}

/** An axis that plotly would fit to all rows is as wide as those that are shown.
 * @param {Figure} figure @param {string} across @param {string} id @param {(row: number) => boolean} shown */
function narrow({ data, layout }, across, id, shown) {
  const axis = layout[across], [own, up] = [across, id].map((name) => name.replace("axis", ""));
  const on = data.filter(({ xaxis = "x", visible }) => xaxis === own && visible !== false);
  const ofRows = on.every(({ type = "scatter", yaxis = "y" }) => type === "scatter" && yaxis === up);
  if (axis.range || axis.matches || (axis.type ?? "linear") !== "linear" || !ofRows) return;
  const lines = (layout.shapes ?? []).filter((/** @type {Part} */ { xref = "x", yref, visible }) => xref === own && yref === "paper" && visible !== false);
  const inRow = (/** @type {Part} */ { x, y }, rows = numbers(y)) => numbers(x).filter((_, at) => shown(rows[at]));
  const values = [...on.flatMap((trace) => inRow(trace)), ...lines.flatMap((/** @type {Part} */ { x0, x1 }) => [x0, x1])];
  if (axis.rangemode === "tozero") values.push(0);
  const known = values.filter(Number.isFinite), [low, high] = [Math.min(...known), Math.max(...known)], beside = BESIDE_ROWS * (high - low);
  if (high > low) Object.assign(axis, { range: axis.autorange === "reversed" ? [high + beside, low - beside] : [low - beside, high + beside], autorange: false });
}

/** Names that stand apart even where their rows do not; where they have no room, those from above. @param {Part} axis @param {Named} named
 * @param {number} tall @param {number} row */
function spread(axis, { places, texts, ends: [bottom, top] }, tall, row) {
  const down = (/** @type {number} */ place) => ((place - top) / (bottom - top)) * tall;
  const order = places.map((place, at) => ({ at: down(place), text: texts[at] })).sort((a, b) => a.at - b.at);
  const fit = Math.max(Math.floor(tall / row), 2);
  const more = `and ${order.length - fit + 1} more`;
  const kept = order.length > fit ? [...order.slice(0, fit - 1), { at: tall, text: more }] : order;
  const apart = pushedApart(kept.map(({ at }) => at), row, 0, tall);
  setTicks(axis, { places: apart.map((at) => top + (at / tall) * (bottom - top)), texts: kept.map(({ text }) => text) });
}

/** @param {Figure} figure @param {string} id @param {Place} place @param {number} wide @param {Measure} measure */
function arrangeAcross(figure, id, place, wide, measure) {
  const axis = figure.layout[id];
  const [low, high] = overlaid(figure.layout, id).domain ?? [0, 1];
  const width = wide * (high - low);
  writeTitle(axis, (line) => measure(line, place.type) <= width, place);
  const named = namedOn(figure, id);
  if (!named) return;
  const size = Math.max(Math.min(axis.tickfont?.size ?? place.type, place.type), place.least);
  axis.tickfont = { ...axis.tickfont, size };
  const sorted = [...named.places].sort((a, b) => a - b);
  const apart = Math.min(...sorted.slice(1).map((one, at) => one - sorted[at]), named.span) * (width / named.span);
  const level = named.texts.map((text) => titled(text, (line) => measure(line, size) <= apart - 6));
  const telling = (/** @type {string} */ text, /** @type {number} */ at) => text === named.texts[at] || (named.places.length < 7 && text.split("<br>").every(tells));
  if (level.every(telling) && level.every((text) => text.split("<br>").every((line) => measure(words(line), size) <= apart - 4))) {
    setTicks(axis, { ...named, texts: level });
    axis.tickangle = 0;
    return;
  }
  const most = BENEATH * figure.layout.height;
  axis.tickfont.size = place.least;
  setTicks(axis, everyNth({ ...named, texts: shortened(named.texts, (text) => measure(text, place.least) <= most) }, Math.max(Math.ceil((1.15 * place.least) / apart), 1)));
  axis.tickangle = -90;
}

/** The title of an axis in one line, without its last parts where all have no room; a heading has two.
 * @param {Part} axis @param {(line: string) => boolean} fits @param {Place} place */
function writeTitle(axis, fits, place) {
  if (!axis.title?.text) return;
  const parts = axis.title.text.split(/(?=, |: )/), heading = /^<b>/.test(axis.title.text);
  while (!heading && parts.length > 1 && !fits(words(parts.join("")))) parts.pop();
  const text = heading ? titled(axis.title.text, fits) : shorter(parts.join(""), 0.5, fits);
  axis.title = { ...axis.title, text, font: { ...axis.title.font, size: place.type } };
}

/** What cells of a width say: of the forms that their maker gives the first that fits, be it set bold; nothing where nobody could read any.
 * @param {string[][]} forms from the longest to the shortest @param {number} across @param {Place} place @param {Measure} measure */
export const inCells = (forms, across, place, measure) => forms.find((form) => form.every((text) => measure(text, place.least) <= 0.9 * across));
