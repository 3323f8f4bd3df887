// A page without a server: each view moves along its own sliders by the frames that the file carries; see offline.py.

const SETTLES = 250; // ms after the last step in which a figure that was moved in place is drawn anew, for hover and zoom
const UNDER_THE_MOUSE = new Set(["customdata", "hovertemplate", "hovertext", "hoverinfo"]);
const unpacked = new WeakMap(); // the frames of each slider, read when it is first moved
const specs = new WeakMap(); // each figure as the file has it

for (const box of document.querySelectorAll(".view .plotly-graph-div")) {
  specs.set(box, structuredClone({ data: box.data, layout: box.layout }));
}
for (const view of document.querySelectorAll("section.view")) attend(view);

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
    unpacked.set(thumb, read(Uint8Array.from(text, (sign) => sign.charCodeAt(0)).buffer));
  }
  return unpacked.get(thumb);
}

// One moves at a time: what the others moved is first put back.
function moveTo(view, thumb) {
  const others = [...view.querySelectorAll(".thumb input")].filter((one) => one !== thumb && one.value !== one.dataset.start);
  const changes = new Map();
  for (const one of [...others, thumb]) {
    if (one !== thumb) one.value = one.dataset.start;
    tell(one);
    const path = framesOf(one), there = place(path, Number(one.value));
    for (const track of path.texts) say(view, track.place, at(track, there));
    for (const [item, tracks] of Object.entries(path.tables)) {
      for (const track of tracks) fillTable(view, item, track.keys[0], at(track, there));
    }
    for (const [item, tracks] of Object.entries(path.figures)) {
      const box = part(view, item)?.querySelector(".plotly-graph-div");
      if (!box) continue;
      const known = changes.get(box) ?? changes.set(box, new Map()).get(box);
      for (const track of tracks) known.set(String(track.keys), { track, keys: track.keys, value: at(track, there) });
    }
  }
  for (const [box, known] of changes) paint(box, [...known.values()]);
  report(view, thumb);
  clearTimeout(view.wait);
  view.wait = setTimeout(() => settle(view), SETTLES);
}

const part = (view, item) => view.querySelector(`[data-item="${item}"]`);

function tell(thumb) {
  const said = JSON.parse(thumb.dataset.texts)[Number(thumb.value)];
  thumb.setAttribute("aria-valuetext", said);
  thumb.parentElement.querySelector("output").textContent = said;
}

// What is set, and what of the view does not follow.
function report(view, thumb) {
  const moved = thumb.value !== thumb.dataset.start;
  const stays = moved ? JSON.parse(thumb.dataset.stays) : [];
  for (const one of view.querySelectorAll("[data-item]")) one.classList.toggle("stays", stays.includes(one.dataset.item));
  const speak = framesOf(thumb).texts.some((one) => one.place.endsWith(" caption")) ? "settings" : "captions and settings";
  const made = JSON.parse(thumb.dataset.texts)[Number(thumb.dataset.start)];
  const rest = stays.length ? " What is pale does not follow." : "";
  view.querySelector(".moved").textContent = moved ? `The view was made at ${made}: ${speak} speak of that.${rest}` : "";
  view.querySelector(".as-made").hidden = !moved;
  for (const one of view.querySelectorAll(".then")) one.hidden = !moved;
}

function say(view, item, text) {
  if (item === "title") {
    const title = view.querySelector("h1, h2");
    title.textContent = title.textContent.replace(/^(\d+\. )?.*/, (_, number = "") => number + text);
    return;
  }
  const [number, kind] = item.split(" ");
  const place = kind ? part(view, number)?.querySelector("figcaption") : part(view, item);
  if (kind && number === view.dataset.own) return; // the author's own words
  if (!place?.matches(".words")) return place && (place.textContent = text ?? "");
  place.replaceChildren(...(text ?? "").split("\n").map((line) => Object.assign(document.createElement("p"), { className: "said", textContent: line })));
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

const score = (value) => (Number.isNaN(value) ? "" : Number.isFinite(value) ? value.toFixed(4) : value > 0 ? "∞" : "-∞");

// --- figures ----------------------------------------------------------------------------------------------------------

function paint(box, changes) {
  box.wanted = changes;
  if (!box.clientWidth) return; // out of sight: drawn when it is shown
  const seen = changes.filter(({ keys }) => !underTheMouse(box, keys));
  hold(box);
  const inPlace = !box.drawing && !widen(box, seen) && seen.every(({ track }) => moves(box, track)) && moveAll(box, seen);
  if (inPlace) box.unsettled = true;
  else redraw(box);
}

const underTheMouse = (box, [part, index, kind]) => part === "data" && (UNDER_THE_MOUSE.has(kind)
  || (kind === "text" && box._fullData[index]?.type === "scatter" && !box._fullData[index].mode?.includes("text")));

function settle(view) {
  clearTimeout(view.wait);
  for (const box of view.querySelectorAll(".plotly-graph-div")) if (box.unsettled) redraw(box);
}

// One drawing at a time, always of what is wanted last.
async function redraw(box) {
  box.again = true;
  if (box.drawing || !box.clientWidth) return;
  box.drawing = true;
  try {
    while (box.again) {
      box.again = box.unsettled = false;
      await window.Plotly.react(box, ...figureOf(box));
      forget(box);
    }
  } finally {
    box.drawing = false;
  }
}

// The figure as it is wanted now: as the file has it, at another place of a slider, in the look of the stage.
function figureOf(box) {
  const figure = structuredClone(specs.get(box));
  for (const { keys, value, track } of box.wanted ?? []) {
    const said = track.values || track.length > 1 || isList(box, keys) ? value : value[0];
    keys.slice(0, -1).reduce((part, key) => (part[key] ??= {}), figure)[keys.at(-1)] = said;
  }
  if (box.wanted) keepAxes(box, figure.layout);
  dress(box, figure);
  return [figure.data, figure.layout, box._context];
}

function keepAxes(box, layout) {
  hold(box);
  for (const [name, wider] of Object.entries(box.held)) {
    const { range, autorange } = box._fullLayout[name] ?? {};
    if (!range) continue;
    if (wider || autorange) (box.kept ??= {})[name] = String(wider ?? range);
    layout[name] = { ...layout[name], range: [...(wider ?? range)], autorange: false };
    box.held[name] = null;
  }
}

// --- as a file --------------------------------------------------------------------------------------------------------

const [FACE, INK] = ['"Source Sans 3", "Segoe UI", sans-serif', "#1d2733"]; // a file inherits no type

// The button of plotly's own saves the figure alone; what is taken from a report says what it shows.
addEventListener("click", (event) => {
  const box = event.target.closest?.('.modebar-btn[data-title^="Download plot"]')?.closest(".plotly-graph-div");
  if (!box?.closest(".view")) return;
  event.stopPropagation();
  save(box);
}, true);

async function save(box) {
  const found = box.closest("figure")?.querySelector(".headline")?.textContent.trim().replaceAll("\n", " · ");
  const said = [found, box.closest("figure")?.querySelector("figcaption")?.textContent].filter(Boolean).join("\n");
  const [width, height] = [box.clientWidth, box.clientHeight];
  const figure = onPaper(box);
  const drawn = await window.Plotly.toImage(figure, { format: "svg", width, height, imageDataOnly: true });
  const svg = new DOMParser().parseFromString(drawn, "image/svg+xml").documentElement;
  const whole = height + addCaption(svg, captionLines(said, width, 12, FACE), { width, height, size: 12, family: FACE, ink: INK, back: "#fff" });
  svg.setAttribute("height", whole);
  svg.setAttribute("viewBox", `0 0 ${width} ${whole}`);
  const title = box.closest(".view").querySelector("h1, h2").textContent;
  const content = new Blob([new XMLSerializer().serializeToString(svg)], { type: "image/svg+xml" });
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(content), download: `${title.replace(/[\\/:*?"<>|]/g, "_")}.svg` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

// The figure as it is now, in the light whatever the stage is in.
function onPaper(box) {
  const { data, layout } = structuredClone({ data: box.data, layout: box.layout }), made = specs.get(box).layout;
  const plain = (part, before, names) => Object.assign(part, Object.fromEntries(names.map((name) => [name, before?.[name]])));
  plain(layout, made, ["paper_bgcolor", "plot_bgcolor"]);
  layout.font = { ...layout.font, color: INK, family: FACE };
  for (const key of axes(box)) if (layout[key]) plain(layout[key], made[key], Object.keys(DARK_AXIS));
  return { data, layout };
}
