// Thumbs in figures (ui/widgets/handles.py). Each is a separate element above the figure, so that dragging it does not start
// plotly's zoom. Figures follow it like a slider, and its value is reported once, on release.

import { snapped } from "#following/numbers.js";
import { axisNamed, lengthOf, listens, startOf, triangleOf } from "#following/plotly_inside.js";
import { classOf } from "./state.js";

let tell; // reports the released position

export function offerHandles(report) {
  tell = report;
  document.querySelectorAll(".plot").forEach(attend);
}

addEventListener("drawn", ({ target }) => attend(target));

const attended = new WeakSet();

function attend(box) {
  if (!box.on) return; // not drawn yet
  if (!attended.has(box)) box.on("plotly_afterplot", () => putHandles(box));
  attended.add(box);
  putHandles(box);
}

function putHandles(box) {
  const now = [...box.querySelectorAll(":scope > .handle")];
  if (now.some((one) => one.classList.contains("held"))) return;
  for (const old of now) old.remove();
  for (const spec of box.layout?.meta?.handles ?? []) box.append(handleOf(box, spec));
}

function handleOf(box, spec) {
  const way = spec.points ? amongPoints(box, spec.points) : alongAxis(box, spec);
  const element = Object.assign(document.createElement("div"), { className: `handle ${spec.axis ?? "point"}`, title: spec.title, ariaHidden: "true" });
  element.control = classOf(spec.key);
  element.thumb = { value: String(spec.points ? "" : spec.at), isConnected: true, among: way.among };
  way.put(element, spec.at);
  let begun, off;
  element.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    event.preventDefault();
    element.setPointerCapture(event.pointerId);
    element.classList.add("held");
    under(box, event, "mouseout");
    begun = element.thumb.value;
    const { x, y, width, height } = element.getBoundingClientRect();
    off = [event.clientX - x - width / 2, event.clientY - y - height / 2];
  });
  element.addEventListener("pointermove", (event) => {
    if (!element.hasPointerCapture(event.pointerId)) return under(box, event, "mousemove");
    const { x, y } = box.getBoundingClientRect();
    const value = way.read(event.clientX - off[0] - x, event.clientY - off[1] - y);
    element.thumb.value = String(value);
    way.put(element, spec.points ? spec.points[value] : value);
  });
  element.addEventListener("pointerleave", (event) => under(box, event, "mouseout"));
  element.addEventListener("pointercancel", () => {
    element.thumb.value = begun;
    way.put(element, spec.at);
  });
  element.addEventListener("lostpointercapture", () => {
    element.classList.remove("held");
    if (element.thumb.value !== begun) tell({ key: spec.key, place: Number(element.thumb.value) });
  });
  return element;
}

// A line across an axis; its value is its position on the axis.
function alongAxis(box, { axis: letter, low, high, step }) {
  const [own, other] = [() => axisNamed(box, `${letter}axis`), () => axisNamed(box, letter === "x" ? "yaxis" : "xaxis")];
  return {
    put(element, value) {
      const [at, from, long] = [startOf(own()) + own().r2p(value), startOf(other()), lengthOf(other())].map((one) => `${one}px`);
      Object.assign(element.style, letter === "x" ? { left: at, top: from, height: long } : { top: at, left: from, width: long });
    },
    read(x, y) {
      const [, least, most] = [...own().range, low, high].sort((a, b) => a - b); // not beyond the visible range
      return snapped(own().p2r((letter === "x" ? x : y) - startOf(own())), { low: least, high: most, step });
    },
  };
}

// A point in a triangle; its value is the number of the nearest of the given points.
function amongPoints(box, points) {
  const pixels = ([a, b, c]) => {
    const { xaxis, yaxis, x0, y0 } = triangleOf(box);
    return [x0 + xaxis.c2p(c - b), y0 + yaxis.c2p(a)];
  };
  const nearest = (x, y, among) => {
    const far = (one) => { const [px, py] = pixels(points[one]); return (px - x) ** 2 + (py - y) ** 2; };
    return among.reduce((best, one) => (far(one) < far(best) ? one : best));
  };
  return {
    put(element, at) {
      const [left, top] = pixels(at);
      Object.assign(element.style, { left: `${left}px`, top: `${top}px` });
    },
    read: (x, y) => nearest(x, y, [...points.keys()]),
    among: (value, known) => nearest(...pixels(points[value]), known),
  };
}

// Elements below the thumb still get hover events.
function under(box, event, type) {
  const below = document.elementsFromPoint(event.clientX, event.clientY).find((one) => box.contains(one) && listens(one));
  below?.dispatchEvent(new MouseEvent(type, { bubbles: true, clientX: event.clientX, clientY: event.clientY }));
}
