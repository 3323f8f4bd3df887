// Saving a figure as a file: always in the light theme's colours on white, as on the screen or laid out for a paper or a slide,
// with or without its caption. plot.js uses only `withDownloads`.

import { captionHeight, handOut } from "#following/caption.js";
import { element } from "./elements.js";
import { fileName } from "./file_name.js";
import { laidOut } from "./laid_out.js";
import { inInches, pdf, png } from "./pictures.js";
import { INCH, SIZES } from "./sizes.js";
import { store, stored } from "./stored.js";

const CAPTIONED = "evalcore captions in files";
const PAGE = { width: 24, height: 24, path: "M5 2h9l6 6v14H5V2zm8 1.6V9h5.4L13 3.6zM12.5 19l4-4.2h-2.8V11h-2.4v3.8H8.5l4 4.2z" };

// Return the configuration of a figure with our buttons; `text` returns the figure's specification.
export function withDownloads(Plotly, config, text) {
  const one = (format, icon) => ({
    name: format,
    title: `Save as ${format.toUpperCase()}`,
    icon,
    click: (box) => save(Plotly, box, text(), "screen", format, isCaptioned("screen") ? captionOf(box) : "").catch((error) => menu(Plotly, box, text, failed(error))),
  });
  const more = { name: "sizes", title: "Save for a paper or a slide", icon: PAGE, click: (box) => menu(Plotly, box, text) };
  return { ...config, modeBarButtonsToAdd: [one("png", Plotly.Icons.camera), one("svg", Plotly.Icons.disk), more] };
}

const failed = (error) => `Not saved: ${error.message}`;

// --- the caption ------------------------------------------------------------------------------------------------------

// The caption of the figure on the page, from present.js.
function captionOf(box) {
  const detail = {};
  box.dispatchEvent(new CustomEvent("caption", { bubbles: true, detail }));
  return detail.text ?? "";
}

const isCaptioned = (size) => (stored(CAPTIONED) ?? {})[size] ?? Boolean(SIZES[size].captioned);
const remember = (size, captioned) => store(CAPTIONED, { ...stored(CAPTIONED), [size]: captioned });

// --- the menu ---------------------------------------------------------------------------------------------------------

// A menu of every size in every format; Escape or a click elsewhere closes it.
function menu(Plotly, box, text, note = "") {
  const button = box.querySelector(".modebar-btn[data-title^='Save for']");
  const status = element("p", { role: "status", textContent: note });
  const rows = Object.entries(SIZES).flatMap(([size, { label }]) => {
    const under = tick(size, label);
    const saved = (format) => save(Plotly, box, text(), size, format, under.checked ? captionOf(box) : "");
    const choices = ["pdf", "svg", "png"].map((format) => choice(format, label, status, () => saved(format)));
    return [element("span", { textContent: label }), under.parentElement, ...choices];
  });
  const open = element("div", { className: "save-menu", popover: "auto", role: "dialog", ariaLabel: "Save figure" }, [
    element("p", { textContent: "Save in light colours" }),
    ...rows,
    status,
  ]);
  open.addEventListener("toggle", ({ newState }) => newState === "closed" && open.remove());
  box.parentElement.append(open); // not inside the box, which plotly empties
  open.showPopover();
  const [place, at] = [open.getBoundingClientRect(), button.getBoundingClientRect()];
  open.style.left = `${Math.max(8, Math.min(at.right, innerWidth - 8) - place.width)}px`;
  open.style.top = `${Math.max(8, Math.min(at.bottom + 4, innerHeight - 8 - place.height))}px`;
  open.querySelector("button").focus();
}

function choice(format, label, status, saves) {
  const made = element("button", { type: "button", textContent: format.toUpperCase() });
  made.ariaLabel = `${label}, as ${made.textContent}`;
  made.onclick = async () => {
    status.textContent = "Saving";
    try {
      await saves();
      made.closest(".save-menu").hidePopover();
    } catch (error) {
      console.warn(error);
      status.textContent = failed(error);
    }
  };
  return made;
}

function tick(size, label) {
  const under = element("input", { type: "checkbox", checked: isCaptioned(size), ariaLabel: `Caption under it: ${label}` });
  under.onchange = () => remember(size, under.checked);
  element("label", {}, [under, "caption"]);
  return under;
}

// --- the file ---------------------------------------------------------------------------------------------------------

async function save(Plotly, box, text, size, format, caption) {
  const { name, alt, saving, ...given } = JSON.parse(text);
  const { suffix = "", dpi = 2 * INCH } = SIZES[size];
  const { figure, width, height, zoom, under } = await laidOut(Plotly, box, given, size, caption);
  // Settings are read from the address. Inside the figure they would change all figures of the page at every move.
  const file = `${fileName(name, location.search)}${suffix}.${format}`;
  const drawn = await Plotly.toImage(figure, { format: "svg", width, height, imageDataOnly: true });
  const whole = height + captionHeight(under.lines, under.size);
  const svg = inInches(drawn, { width, height, whole, zoom, alt, under });
  if (format === "png") return handOut(await png(svg, width, whole, (zoom * dpi) / INCH, saving), file);
  if (format === "svg") return handOut(new Blob([svg], { type: "image/svg+xml" }), file);
  return handOut(await pdf(svg, width * zoom, whole * zoom, { title: name, subject: alt }, saving), file);
}
