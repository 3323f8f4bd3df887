// Drawings as files: SVG, PNG or PDF, with sizes in inches.

import { addCaption, svgPart } from "#following/caption.js";
import { FAMILY } from "./laid_out.js";
import { loadScript } from "./library.js";
import { INCH } from "./sizes.js";

const FACE = "Source Sans"; // its name in Streamlit and in a PDF

export function inInches(svg, { width, height, whole, zoom, alt, under: { lines, ...look } }) {
  const drawn = new DOMParser().parseFromString(svg, "image/svg+xml");
  const root = drawn.documentElement;
  root.setAttribute("viewBox", `0 0 ${width} ${whole}`);
  root.setAttribute("width", `${+((width * zoom) / INCH).toFixed(4)}in`);
  root.setAttribute("height", `${+((whole * zoom) / INCH).toFixed(4)}in`);
  if (lines.length) addCaption(root, lines, { width, height, family: FAMILY, ...look });
  root.prepend(Object.assign(drawn.createElementNS(root.namespaceURI, "title"), { textContent: alt }));
  return new XMLSerializer().serializeToString(drawn);
}

// A browser draws an SVG image without the page's fonts, so the font is embedded; otherwise words would be too wide.
export async function png(svg, width, height, scale, { normal, bold }) {
  const cut = async (path, weight) => `@font-face { font-family: "${FACE}"; font-weight: ${weight}; src: url(data:font/ttf;base64,${await fontText(path)}); }`;
  const face = `<style>${await cut(normal, 400)}${svg.includes("font-weight") ? await cut(bold, 700) : ""}</style>`;
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([svg.replace(">", `>${face}`)], { type: "image/svg+xml" }));
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [Math.round(width * scale), Math.round(height * scale)];
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

// Vector graphics with an embedded font: characters in the font are text, all others pictures.
export async function pdf(svg, width, height, about, { script, converter, ...cuts }) {
  await loadScript(script);
  await loadScript(converter);
  const [across, down] = [width, height].map((pixels) => (pixels * 72) / INCH);
  const orientation = across > down ? "landscape" : "portrait";
  const page = new window.jspdf.jsPDF({ unit: "pt", format: [across, down], orientation, compress: true, putOnlyUsedFonts: true });
  page.setProperties({ ...about, creator: "evalcore" });
  const holder = Object.assign(document.createElement("div"), { innerHTML: svg, ariaHidden: "true" });
  holder.style = "position: fixed; left: -9999px; top: 0";
  document.body.append(holder);
  try {
    const drawn = holder.firstElementChild;
    const used = new Set([...drawn.querySelectorAll("text, text *")].map(weightOf));
    for (const style of [...used].sort()) { // the regular style is the last, and so stays set
      page.addFileToVFS(`${style}.ttf`, await fontText(cuts[style]));
      page.addFont(`${style}.ttf`, FACE, style);
      page.setFont(FACE, style);
    }
    for (const text of drawn.querySelectorAll("text")) prepare(text, page.getFont().metadata);
    await page.svg(drawn, { x: 0, y: 0, width: across, height: down });
  } finally {
    holder.remove();
  }
  return new Blob([named(page.output("arraybuffer"))], { type: "application/pdf" });
}

// jsPDF names the glyph ordering Identity-H, like the encoding; validating readers complain.
function named(bytes) {
  const [wrong, right] = ["/Ordering (Identity-H)", "/Ordering (Identity)  "];
  const text = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join("");
  return Uint8Array.from(text.replaceAll(wrong, right), (sign) => sign.charCodeAt(0));
}

const weightOf = (part) => (getComputedStyle(part).fontWeight >= 600 ? "bold" : "normal");

// Used font styles are embedded; a text with characters that they lack (possible in system names) becomes a picture.
function prepare(text, face) {
  for (const part of [text, ...text.querySelectorAll("*")]) {
    Object.assign(part.style, { fontFamily: FACE, fontWeight: weightOf(part), fontStyle: "normal" });
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
  const turned = line.closest("text").getAttribute("transform") ?? "";
  return svgPart("image", { x, y, width, height, transform: turned, href: canvas.toDataURL(), preserveAspectRatio: "none" });
}

// jsPDF needs fonts in base64.
async function fontText(path) {
  const answer = await fetch(new URL(path, document.baseURI));
  if (!answer.ok) throw new Error(`${path} did not load`);
  const reader = new FileReader();
  reader.readAsDataURL(await answer.blob());
  await new Promise((resolve) => { reader.onload = resolve; });
  return reader.result.slice(reader.result.indexOf(",") + 1);
}
