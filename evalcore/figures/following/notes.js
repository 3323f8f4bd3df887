// Notes, lines and rectangles of a figure at another place of a slider.

import { pointer, shapeCorners, shapeOutline } from "./geometry.js";
import { axisOf, noteAt, noteParts, roomOf, shapeAt, shapePath } from "./plotly_inside.js";
import { shift, unescaped } from "./touched.js";

// One thing of a note; its place is told by several, and is left for `last`.
export function moveNote({ box, notes, last }, at, attribute, value) {
  const [note, group] = [noteAt(box, at), notes.get(at)];
  const text = note && group && noteParts(group).text;
  if (!text) return false; // out of sight it has none
  if (attribute === "showarrow") {
    noteParts(group).arrow?.setAttribute("visibility", value ? "visible" : "hidden");
    return true;
  }
  if (attribute === "opacity") {
    group.style.opacity = value[0];
    return true;
  }
  if (attribute === "text") {
    if (/<(?!\/?b>)/.test(value)) return false;
    group.drawn ??= wide(group, text);
    text.textContent = unescaped(value.replace(/<\/?b>/g, ""));
  } else {
    group.live = { ...group.live, [attribute]: typeof value === "string" ? value : value[0] };
  }
  last.set(group, () => placeNote(box, note, group));
  return true;
}

// How wide the words of a note are; asked of the browser once for each.
function wide(group, text) {
  group.widths ??= new Map();
  const words = text.textContent;
  if (!group.widths.has(words)) group.widths.set(words, text.getBBox().width);
  return group.widths.get(words);
}

// Where a note is now: its place, how far beside it, and which of its ends is there.
const ENDS = { left: 0, top: 0, right: 1, bottom: 1 };
const end = (anchor) => ENDS[anchor] ?? 0.5;

function placeNote(box, note, group) {
  const now = { ...note, ...group.live };
  const { frame, text } = noteParts(group);
  const delta = (letter) => pixels(box, note[`${letter}ref`], now[letter]) - pixels(box, note[`${letter}ref`], note[letter]);
  const [width, height] = [Number(frame.getAttribute("width")), Number(frame.getAttribute("height"))];
  const grown = wide(group, text) - (group.drawn ??= wide(group, text));
  const across = (0.5 - end(now.xanchor)) * (width + grown) - (0.5 - end(note.xanchor)) * width;
  const down = (end(note.yanchor) - end(now.yanchor)) * height;
  shift(box, group, delta("x") + now.xshift - note.xshift + across, delta("y") + note.yshift - now.yshift + down);
  if (now.ax !== note.ax || now.ay !== note.ay) pointNote(box, note, now, group, { width: width + grown, height });
}

// A note stands elsewhere beside what it points at: its line goes from its border to there.
function pointNote(box, note, now, group, words) {
  const parts = noteParts(group);
  shift(box, parts.words, now.ax - note.ax, now.ay - note.ay);
  if (!parts.line) return;
  const { l, t } = roomOf(box);
  const head = [l + pixels(box, note.xref, note.x), t + pixels(box, note.yref, note.y)];
  parts.line.setAttribute("d", pointer(head, [now.ax, now.ay], { ...words, standoff: note.standoff ?? 0 }));
  parts.line.style.strokeDasharray = "none";
}

// A line or a rectangle: each of its ends by as much as it is elsewhere, from where plotly drew it.
export function moveShape({ box }, at, attribute, value) {
  const [shape, path] = [shapeAt(box, at), shapePath(box, at)];
  if (!shape || !path) return false;
  path.live ??= { drawn: shapeCorners(path.getAttribute("d")), by: {} };
  const { drawn, by } = path.live;
  if (!drawn || !["line", "rect"].includes(shape.type)) return false;
  const ref = shape[`${attribute[0]}ref`];
  by[attribute] = pixels(box, ref, value[0], "shape") - pixels(box, ref, shape[attribute], "shape");
  path.setAttribute("d", shapeOutline(shape.type, ["x0", "y0", "x1", "y1"].map((corner, i) => drawn[i] + (by[corner] ?? 0))));
  return true;
}

// Across a figure; on a logarithmic axis notes are told by the logarithm, shapes by the number itself.
function pixels(box, ref, value, kind) {
  if (ref === "paper") return value * roomOf(box).w;
  const along = axisOf(box, ref);
  return kind === "shape" && along.type === "log" ? along.d2p(value) : along.r2p(value);
}
