// A page without a server: each view moves along its own sliders by the frames that the file carries; see writer.py.

import { FIGURES, keepSpecs, paint, settleFigures } from "./drawing.js";
import { unpack } from "./frames.js";
import { score } from "./numbers.js";
import { saveWithCaptions } from "./paper.js";
import { play } from "./reader.js";
import { beginStage } from "./stage.js";

const SETTLES = 250; // ms after the last step in which a figure that was moved in place is drawn anew, for hover and zoom
const unpacked = new WeakMap(); // the frames of each slider, read when it is first moved
const waits = new WeakMap(); // the timer of each view

keepSpecs();
for (const view of document.querySelectorAll("section.view")) attend(view);
saveWithCaptions();
beginStage();
for (const button of document.querySelectorAll("button.print")) button.addEventListener("click", () => print(button.value === "answers"));

// On paper what is folded stays folded: a sheet to fill in, or one with the answers.
function print(answers) {
  for (const folded of document.querySelectorAll("section.view details")) folded.open = answers;
  window.print();
}

function attend(view) {
  for (const thumb of view.querySelectorAll(".thumb input")) {
    thumb.addEventListener("input", () => moveTo(view, thumb));
    thumb.addEventListener("change", () => settle(view));
  }
  const [chooser, thumbs] = [view.querySelector(".thumbs select"), [...view.querySelectorAll(".thumb")]];
  chooser?.addEventListener("change", () => {
    thumbs.forEach((one, i) => { one.hidden = i !== chooser.selectedIndex; });
    moveTo(view, thumbs[chooser.selectedIndex].querySelector("input"));
  });
  view.querySelector(".as-made")?.addEventListener("click", () => {
    const moved = away(view);
    if (!moved) return;
    moved.value = moved.dataset.start;
    moveTo(view, moved);
    settle(view);
    moved.focus();
  });
}

const away = (view) => [...view.querySelectorAll(".thumb input")].find((one) => one.value !== one.dataset.start);

function framesOf(thumb) {
  if (!unpacked.has(thumb)) {
    const text = atob(document.getElementById(thumb.dataset.frames).textContent);
    unpacked.set(thumb, unpack(Uint8Array.from(text, (sign) => sign.charCodeAt(0)).buffer));
  }
  return unpacked.get(thumb);
}

// One moves at a time: what the others moved is first put back.
function moveTo(view, thumb) {
  const others = [...view.querySelectorAll(".thumb input")].filter((one) => one !== thumb && one.value !== one.dataset.start);
  for (const one of others) one.value = one.dataset.start;
  for (const one of [...others, thumb]) {
    tell(one);
    play(framesOf(one), Number(one.value), {
      figure: (key) => part(view, key)?.querySelector(FIGURES),
      change: paint,
      say: (key, text) => say(view, key, text),
      fill: (key, column, values) => fillTable(view, key, column, values),
    });
  }
  report(view, thumb);
  clearTimeout(waits.get(view));
  waits.set(view, setTimeout(() => settle(view), SETTLES));
}

function settle(view) {
  clearTimeout(waits.get(view));
  settleFigures(view);
}

const part = (view, item) => view.querySelector(`[data-item="${CSS.escape(item)}"]`);

function tell(thumb) {
  const text = JSON.parse(thumb.dataset.texts)[Number(thumb.value)];
  thumb.setAttribute("aria-valuetext", text);
  thumb.parentElement.querySelector("output").textContent = text;
}

// What is set, and what of the view does not follow.
function report(view, thumb) {
  const moved = thumb.value !== thumb.dataset.start;
  const stays = moved ? JSON.parse(thumb.dataset.stays) : [];
  for (const one of view.querySelectorAll("[data-item]")) one.classList.toggle("stays", stays.includes(one.dataset.item));
  const speak = framesOf(thumb).texts.some((one) => one.place.endsWith(" caption")) ? "settings" : "captions and settings";
  const made = JSON.parse(thumb.dataset.texts)[Number(thumb.dataset.start)];
  const rest = stays.length ? " Pale parts do not follow." : "";
  view.querySelector(".moved").textContent = moved ? `The view was made at ${made}; its ${speak} still refer to that.${rest}` : "";
  view.querySelector(".as-made").hidden = !moved;
  for (const one of view.querySelectorAll(".then")) one.hidden = !moved;
}

function say(view, item, text) {
  if (item === "title") {
    const title = view.querySelector("h1, h2");
    title.textContent = title.textContent.replace(/^(\d+\. )?.*/, (_, number = "") => number + text);
    return;
  }
  const key = item.replace(/ caption$/, "");
  const place = key === item ? part(view, item) : part(view, key)?.querySelector("figcaption");
  if (!place?.matches(".words")) return place && (place.textContent = text ?? "");
  place.replaceChildren(...(text ?? "").split("\n").map((line) => Object.assign(document.createElement("p"), { className: "sentence", textContent: line })));
}

// Of a table: its heads, the names of its rows, or a column by its number.
function fillTable(view, item, what, values) {
  const table = part(view, item)?.querySelector("table");
  if (!table) return;
  const heads = [...(table.tHead?.rows[0]?.cells ?? [])].slice(-values.length);
  const body = table.tBodies[0];
  while (what === "rows" && body.rows.length && body.rows.length < values.length) body.append(body.rows[0].cloneNode(true));
  if (what === "heads") heads.forEach((cell, i) => { cell.textContent = values[i]; });
  else [...body.rows].forEach((row, i) => {
    if (what === "rows") row.hidden = i >= values.length; // of another place
    const cell = what === "rows" ? row.querySelector("th") : row.querySelectorAll("td")[Number(what)];
    if (cell) cell.textContent = typeof values[i] === "number" ? score(values[i]) : values[i] ?? "";
  });
}
