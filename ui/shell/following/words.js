// Texts at another slider position.

import { parsed } from "./markdown.js";
import { classOf } from "./state.js";

// The text covers Streamlit's text, which is left unchanged underneath until the next answer.
export function say(place, given) {
  const text = given ?? ""; // "" if another position has no such text
  const box = document.querySelector(`.${classOf(place)}`);
  if (!box) return;
  const number = box.querySelector('[data-testid="stMetricValue"]');
  if (!number) return cover(box.querySelector('[data-testid="stMarkdownContainer"], [data-testid="stCaptionContainer"]'), (over) => write(over, text));
  const [value, change] = text.split("\n");
  cover(number, (over) => { over.textContent = value; });
  cover(box.querySelector('[data-testid="stMetricDelta"]'), (over) => { over.textContent = change; });
}

function cover(element, fill) {
  if (!element) return;
  let over = element.querySelector(":scope > .live-text");
  if (!over) {
    over = Object.assign(document.createElement("div"), { className: "live-text" });
    element.append(over);
    element.style.minHeight = `${element.offsetHeight}px`;
    element.setAttribute("data-live", "");
  }
  fill(over);
}

// The server has answered, so its texts are final.
export function uncover() {
  for (const over of document.querySelectorAll(".live-text")) {
    over.parentElement.removeAttribute("data-live");
    over.parentElement.style.minHeight = "";
    over.remove();
  }
}

function write(over, text) {
  over.replaceChildren(...text.split("\n\n").map((part) => {
    const paragraph = document.createElement("p");
    parsed(part).forEach((line, i) => paragraph.append(...(i ? [document.createElement("br")] : []), ...line.map(node)));
    return paragraph;
  }));
}

function node(part) {
  if (typeof part === "string") return part;
  const { name, parts, ...more } = part;
  const made = Object.assign(document.createElement(name), more);
  made.append(...parts.map(node));
  return made;
}
