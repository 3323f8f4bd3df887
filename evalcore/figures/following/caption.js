// A caption under a figure that leaves as an SVG: text in lines no wider than the figure. For a page without a server
// (offline.js) and for the app (ui/widgets/save.js).

import { broken, paragraphs } from "./lines.js";

const [LEADING, BESIDE] = [1.35, 8]; // the height of a line, by the size of its type; pixels at both ends of it
const STAND_IN = "Arial, Helvetica, sans-serif"; // a file is opened where its font may be missing: lines have room for these

export function captionLines(text, width, size, family) {
  const pen = document.createElement("canvas").getContext("2d");
  const fits = (line, bold) => [family, STAND_IN].every((face) => {
    pen.font = `${bold ? "bold " : ""}${size}px ${face}`;
    return pen.measureText(line).width <= width - 2 * BESIDE;
  });
  return paragraphs(text).flatMap(({ words, bold }) => broken(words, (line) => fits(line, bold)).map((line) => ({ line, bold })));
}

// A file, as the browser takes it.
export function handOut(content, name) {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(content), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

export const captionHeight = (lines, size) => (lines.length ? Math.ceil(size * (LEADING * lines.length + 1)) : 0);

// A part of an SVG.
export function svgPart(name, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

// Writes the lines below a drawing of this height; how much higher that makes it.
export function addCaption(svg, lines, { width, height, size, family, ink, back }) {
  const more = captionHeight(lines, size);
  svg.prepend(svgPart("rect", { width, height: height + more, fill: back }));
  lines.forEach(({ line, bold }, at) => {
    const place = { x: BESIDE, y: height + size * (LEADING * (at + 1) + 0.3) };
    const text = svgPart("text", { class: "caption", ...place, style: `font-family: ${family}; font-size: ${size}px; font-weight: ${bold ? 700 : 400}; fill: ${ink}; white-space: pre` });
    text.textContent = line;
    svg.append(text);
  });
  return more;
}
