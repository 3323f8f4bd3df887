// The stage: one view fills the screen, keys lead on. The same file is a page to read; Esc and P go from one to the other.

const FORWARD = ["ArrowRight", "PageDown", " "], BACK = ["ArrowLeft", "PageUp"];
const views = [...document.querySelectorAll("section.view")];
const DARK = { paper_bgcolor: "#11161d", plot_bgcolor: "#11161d", font: { color: "#e8edf2" } };
const DARK_AXIS = { gridcolor: "#36404b", zerolinecolor: "#36404b", linecolor: "#8a96a3" };
let current = 0;

const onStage = () => document.body.classList.contains("stage");
const isDark = () => onStage() && document.body.classList.contains("dark");

// Larger type for the back row, and light words on a dark wall.
function dress(box, { layout }) {
  if (!onStage()) return;
  layout.font = { ...layout.font, size: innerWidth < 640 ? 13 : 20 };
  layout.height = box.parentElement.clientHeight || undefined;
  const own = Object.keys(box._fullLayout).filter((key) => /^[xy]axis\d*$/.test(key));
  for (const key of own) { // names beside each other have the room that there is
    const [names, room] = [layout[key]?.ticktext?.length ?? layout[key]?.tickvals?.length ?? 0, 0.75 * (key[0] === "y" ? layout.height ?? 450 : box.clientWidth / 4)];
    const size = names ? Math.max(9, Math.min(layout.font.size - 3, room / names)) : layout.font.size - 3;
    layout[key] = { ...layout[key], tickfont: { ...layout[key]?.tickfont, size } };
  }
  if (!isDark()) return;
  Object.assign(layout, { ...DARK, font: { ...layout.font, ...DARK.font } });
  for (const key of own) layout[key] = { ...layout[key], ...DARK_AXIS };
}

function stageOn(wanted) {
  document.body.classList.toggle("stage", wanted);
  for (const box of document.querySelectorAll(".plotly-graph-div")) redraw(box);
  if (wanted) go(current);
  else views[current]?.scrollIntoView();
}

function go(to) {
  current = Math.min(Math.max(to, 0), views.length - 1);
  views.forEach((view, i) => view.classList.toggle("current", i === current));
  document.querySelector(".position").textContent = `${current + 1} of ${views.length}`;
  document.querySelector(".stage-bar .back").disabled = current === 0;
  document.querySelector(".stage-bar .onward").disabled = current === views.length - 1;
  for (const box of views[current]?.querySelectorAll(".plotly-graph-div") ?? []) redraw(box);
}

// A slider that has the focus keeps its arrows; a clicker's keys lead on wherever the focus is.
function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const key = event.key, typed = event.target.closest?.("input, select"); // which keep arrows
  if (event.target.matches?.("select") && !key.startsWith("Page") && key !== "Escape") return; // opened and chosen by keys
  if (!onStage()) {
    if (key.toLowerCase() === "p" && views.length) stageOn(true);
    return;
  }
  const pressed = key === " " && event.target.closest?.("button, summary, a[href]");
  if (FORWARD.includes(key) && !pressed && !(typed && key === "ArrowRight")) go(current + 1);
  else if (BACK.includes(key) && !(typed && key === "ArrowLeft")) go(current - 1);
  else if (key === "Home" && !typed) go(0);
  else if (key === "End" && !typed) go(views.length - 1);
  else if (key === "Escape") stageOn(false);
  else if (key.toLowerCase() === "n") document.body.classList.toggle("with-notes");
  else if (key.toLowerCase() === "d") darken();
  else return;
  event.preventDefault();
}

function darken() {
  document.body.classList.toggle("dark");
  for (const box of document.querySelectorAll(".plotly-graph-div")) redraw(box);
}

const doing = { back: () => go(current - 1), onward: () => go(current + 1), darker: darken, leave: () => stageOn(false), present: () => stageOn(true) };
for (const [name, does] of Object.entries(doing)) for (const one of document.querySelectorAll(`button.${name}`)) one.addEventListener("click", does);
addEventListener("keydown", press);
addEventListener("resize", () => { if (onStage()) for (const box of views[current]?.querySelectorAll(".plotly-graph-div") ?? []) redraw(box); });
// On paper there is neither stage nor darkness.
let printed;
addEventListener("beforeprint", () => { printed = onStage(); if (printed) stageOn(false); });
addEventListener("afterprint", () => { if (printed) stageOn(true); });
if (onStage()) stageOn(true);
