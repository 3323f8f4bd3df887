// What was moved by a style, or has other words: that outlives drawing, and is taken back after it.

import { textLines } from "./plotly_inside.js";

const touched = new WeakMap(); // the elements of each figure

function remember(box, element) {
  if (!touched.has(box)) touched.set(box, new Set());
  touched.get(box).add(element);
}

export function forget(box) {
  for (const one of touched.get(box) ?? []) {
    one.style.translate = "";
    one.asBefore?.();
  }
  touched.delete(box);
}

export function shift(box, element, x, y) {
  element.style.translate = `${x}px ${y}px`;
  remember(box, element);
}

export const unescaped = (text) => text.replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&");

// Other words in the same lines, until plotly draws them anew: what it drew since stays.
export function rewrite(box, element, words) {
  const text = element.querySelector("text");
  if (!text) return false;
  const [lines, parts] = [textLines(text), words.split("<br>")];
  const places = lines.length ? lines : [text];
  if (places.length !== parts.length || /</.test(parts.join(""))) return false;
  element.asBefore?.();
  const before = places.map((one) => one.textContent), ours = parts.map((part) => new Text(unescaped(part)));
  places.forEach((one, i) => one.replaceChildren(ours[i]));
  element.asBefore = () => {
    places.forEach((one, i) => { if (one.firstChild === ours[i]) one.textContent = before[i]; });
    delete element.asBefore;
  };
  remember(box, element);
  return true;
}
