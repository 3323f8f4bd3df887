// Presentation: one figure, table or text fills the screen, with what it says under it; see present.py. plot.js draws
// the figure that is on stage as large as its box, with larger type.

import { paragraphs } from "#following/lines.js";
import { areaSeen, element, goTo } from "../widgets/elements.js";
import { classOf } from "./following/state.js";
import { foldSidebar, speak } from "./spoken.js";
import { chosen, keyDoes, led, ordinal } from "./scenes.js";

const BODY = document.body;
const PRINTED = 1040; // pixels across a sheet of A4 on its side, within its margins
const TEXTS = '[data-testid="stMain"] :is([data-testid="stMarkdown"], [data-testid="stHeading"]) [data-testid="stMarkdownContainer"], '
  + '[data-testid="stMain"] [data-testid="stAlert"] [data-testid="stMarkdownContainer"], [data-testid="stMain"] [data-testid="stMetric"]';
const DRAGGED = ".handle, .modebar-container, button, input"; // has a finger for itself
let current = {}; // what the page has: its figures and tables in their order, with their captions, and what it rests on
let stage; // what is on stage, known by itself: others may come before it at any moment
let place = 0; // where it was among all, for when it has left the page
let begun; // the figure that was in view when presenting began
let moved = false; // whether a key or a touch has chosen: until then it is that one, or the first
let met = false; // whether the page has been seen without presenting
let tell = () => {}; // tells the app what has happened
const leave = () => tell("left", true); // presenting is over

export default function present({ data, setTriggerValue }) {
  tell = setTriggerValue;
  speak(data);
  foldSidebar();
  const wanted = Boolean(data.on);
  arrive(data);
  if (wanted !== BODY.classList.contains("presenting")) (wanted ? begin : end)();
  if (wanted) show();
  met ||= !wanted;
}

// Another page begins at its own beginning.
function arrive(data) {
  if (data.on && data.page !== current.page) [moved, begun] = [false, undefined];
  current = data;
}

// --- what there is ----------------------------------------------------------------------------------------------------

// Whether the page has room for it: not in a fold or a tab that is closed.
const standing = (box) => box.closest('[data-testid="stElementContainer"]')?.checkVisibility() ?? true;

// The figures that the page shows, in the order in which it made them: what it is about comes first, wherever it stands.
function figures() {
  const names = (current.figures ?? []).map(({ key }) => classOf(key));
  const rank = (box) => {
    const at = names.findIndex((name) => box.closest(`.${CSS.escape(name)}`));
    return at < 0 ? names.length : at;
  };
  const shown = [...document.querySelectorAll(".plot")].filter(standing);
  return shown.toSorted((a, b) => rank(a) - rank(b)).map((box) => ({ kind: "Figure", known: box, ...current.figures?.[rank(box)] }));
}

// Whoever saves a figure asks for its caption: save.js.
addEventListener("caption", ({ target, detail }) => {
  detail.text = figures().find(({ known }) => known === target)?.usual;
});

// All that can be on stage. A page without figures has its text there.
function scenes() {
  const drawn = figures();
  const text = drawn.length || current.figures.length ? [] : [{ kind: "Text", known: "text", usual: current.about }];
  const tables = current.tables.map((table, at) => ({ kind: "Table", known: `table ${at}`, usual: table.caption, table }));
  return [...drawn, ...text, ...tables];
}

// The figure of which most is in the window.
function inView() {
  const seen = ({ known }) => areaSeen(known);
  return figures().filter(seen).toSorted((a, b) => seen(b) - seen(a))[0]?.known;
}

// --- on and off -------------------------------------------------------------------------------------------------------

function begin() {
  begun = met ? inView() : undefined; // opened by a link, a page is not looked at yet
  moved = false;
  BODY.classList.add("presenting");
  document.activeElement?.blur();
  arrivals.observe(BODY, { childList: true, subtree: true, characterData: true });
  for (const heard of listeners()) addEventListener(...heard);
}

const listeners = () => [
  ["keydown", press, true], ["touchstart", touch, true], ["touchend", lift, true],
  ["resize", redraw], ["beforeprint", toPaper], ["afterprint", fromPaper],
];

function end() {
  BODY.classList.remove("presenting", "with-controls", "with-caption");
  arrivals.disconnect();
  sizes.disconnect();
  for (const heard of listeners()) removeEventListener(...heard);
  document.querySelectorAll(".on-stage").forEach((box) => box.classList.remove("on-stage"));
  document.querySelector(".stage")?.remove();
  redraw();
}

// Figures of a page that opens presented come one by one, and a text changes where it stands.
let awaited = false;
const ownWork = ({ target }) => (target.closest ? target : target.parentElement)?.closest(".stage, .plot");
const arrivals = new MutationObserver((changes) => {
  if (awaited || changes.every(ownWork)) return;
  awaited = true;
  requestAnimationFrame(() => {
    awaited = false;
    if (BODY.classList.contains("presenting")) show();
  });
});

// --- the stage --------------------------------------------------------------------------------------------------------

function parts() {
  const root = document.querySelector(".stage") ?? BODY.appendChild(emptyStage());
  const [bar, sheet, foot] = root.children;
  return { root, bar, sheet, foot };
}

function emptyStage() {
  const button = (textContent, title, onclick) => element("button", { textContent, type: "button", title, ariaLabel: title, onclick });
  const buttons = [
    button("←", "Back: ←", () => step(-1)),
    element("span", { ariaLive: "polite" }),
    button("→", "Forward: →", () => step(1)),
    button("☰", "Controls: C", controls),
    button("✕", "Leave: Esc", quit),
  ];
  return element("section", { className: "stage", ariaLabel: "Presentation" }, [
    element("div", { className: "stage-title" }, [element("strong"), element("nav", { ariaLabel: "Presentation" }, buttons)]),
    element("div", { className: "stage-sheet", tabIndex: 0 }),
    element("div", { className: "stage-caption", title: "All of it: N", onclick: () => BODY.classList.toggle("with-caption") }),
  ]);
}

// The figure has the room that title and caption leave it.
const sizes = new ResizeObserver(() => {
  const { bar, foot } = parts();
  BODY.style.setProperty("--stage-head", `${bar.offsetHeight}px`);
  BODY.style.setProperty("--stage-foot", `${foot.offsetHeight}px`);
  reachable(foot);
  redraw();
});

function show() {
  const all = scenes();
  stage = chosen(all.map(({ known }) => known), { stage, place, moved, begun });
  place = Math.max(all.findIndex(({ known }) => known === stage), 0);
  const now = all[place];
  document.querySelectorAll(".plot").forEach((box) => box.classList.toggle("on-stage", box === stage));
  const { root, bar, sheet, foot } = parts();
  const { backgroundColor, color, fontFamily } = getComputedStyle(document.querySelector(".stApp") ?? BODY);
  Object.assign(root.style, { color, fontFamily });
  root.style.setProperty("--behind", backgroundColor);
  head(bar, all, now);
  sheet.hidden = !now || now.kind === "Figure";
  if (!sheet.hidden) {
    fill(sheet, now);
    if (document.activeElement === BODY) sheet.focus(); // so that arrows up and down scroll it
  }
  caption(foot, now);
  sizes.observe(bar);
  sizes.observe(foot);
  redraw();
}

// The title, where one is, and the buttons that lead on.
function head(bar, all, now) {
  const { steps } = current, alone = all.length < 2;
  const [back, onward] = bar.querySelectorAll("button");
  bar.firstChild.textContent = titleOf(now);
  bar.querySelector("span").textContent = ordinal(all, now);
  [back.disabled, onward.disabled] = [alone && !steps?.back, alone && !steps?.onward];
}

// What the step asks, what the figure shows, or what the page asks.
function titleOf(now) {
  return current.steps?.question || inHand() || parted(now).finding || (document.querySelector("h1")?.textContent ?? "");
}

// What the headline of the first figure says while a slider is held; see following/words.js.
function inHand() {
  const text = place === 0 && document.querySelector('[class*="st-key-sentence-headline"] .live-text p')?.cloneNode(true);
  if (!text) return "";
  for (const one of text.querySelectorAll("br")) one.replaceWith("\n");
  return text.textContent.replaceAll(".\n", ". ").replaceAll("\n", " · ");
}

// Of what is said of a scene the finding, which is its title unless the page is a step, and the rest.
function parted(now) {
  const all = paragraphs(now?.usual ?? ""), first = all[0]?.bold && !current.steps?.question;
  return { finding: first ? all[0].words : "", rest: first ? all.slice(1) : all };
}

// What this is, on which data, by which measures and with what set: in one line, all of it by a click or a key.
function caption(foot, now) {
  const { rest } = parted(now), written = JSON.stringify(rest);
  if (foot.dataset.written === written) return;
  foot.dataset.written = written;
  const lines = rest.map(({ words, bold }, at) => element(bold ? "strong" : "span", { className: at > 0 ? "further" : "", textContent: words }));
  requestAnimationFrame(() => reachable(foot));
  foot.replaceChildren(...lines);
}

function fill(sheet, { kind, known, table }) {
  const fresh = kind === "Table" ? [tableOf(table)] : texts();
  const html = fresh.map((one) => one.outerHTML).join("");
  if (sheet.html === html) return;
  sheet.html = html;
  if (sheet.dataset.known !== known) sheet.scrollTop = 0;
  sheet.dataset.known = known;
  sheet.replaceChildren(...fresh);
  fresh.forEach(reachable);
}

// What scrolls has to be reached by keys.
function reachable(box) {
  if (box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight) box.tabIndex = 0;
  else box.removeAttribute("tabindex");
}

function tableOf({ heads, rows, numeric, of }) {
  const cell = (tag) => (textContent, at) => element(tag, { textContent, className: numeric[at] ? "number" : "" });
  const row = (tag, cells) => element("tr", {}, cells.map(cell(tag)));
  const body = [element("thead", {}, [row("th", heads)]), element("tbody", {}, rows.map((cells) => row("td", cells)))];
  const rest = of > rows.length ? [paragraph(`The first ${rows.length} of ${of.toLocaleString("en")} rows.`)] : [];
  return element("div", {}, [element("table", {}, body), ...rest]);
}

const section = (children) => element("section", {}, children);
const paragraph = (textContent) => element("p", { textContent });

// What the page says, in its order, without its title, its controls and how to read it.
function texts() {
  const found = [...document.querySelectorAll(TEXTS)].filter((one) => one.checkVisibility()
    && !one.querySelector("h1") && !one.closest(".st-key-menu"));
  const isMetric = (one) => one.matches('[data-testid="stMetric"]');
  return found.map((one) => section(isMetric(one) ? [paragraph(one.innerText.replaceAll("\n", " "))] : one.cloneNode(true).childNodes));
}

function step(by) {
  const all = scenes(), at = all.findIndex(({ known }) => known === stage), to = (at < 0 ? place : at) + by;
  const beyond = to < 0 ? current.steps?.back : to >= all.length && current.steps?.onward;
  if (beyond) return goTo(new URL(beyond, document.baseURI));
  moved = true;
  stage = all[(to + all.length) % Math.max(all.length, 1)]?.known;
  show();
}

function controls() {
  BODY.classList.toggle("with-controls");
  if (!BODY.classList.contains("with-controls")) document.activeElement?.blur();
  redraw();
}

// Each figure draws itself anew when its box changes; a change of type size alone it has to be told.
const redraw = () => dispatchEvent(new Event("stage"));

// A control that has the focus keeps its keys.
function press(event) {
  const on = event.target.closest?.bind(event.target) ?? (() => null);
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || on(".save-menu")) return;
  const [does, by] = keyDoes(event, on) ?? [];
  if (!does) return;
  ({ quit, controls, notes, step })[does](by);
  event.preventDefault();
  event.stopPropagation();
}

function quit() {
  end();
  leave();
}

function notes() {
  BODY.classList.toggle("with-caption");
  show();
}

// A finger drawn across the stage leads on: not where it scrolls a table sideways, nor with several.
let finger; // where it began, when, and how far what it is on can be scrolled to each side

function touch(event) {
  const on = event.target.closest?.(".plot.on-stage, .stage-sheet section, .stage-sheet");
  finger = undefined;
  if (!on || event.touches.length > 1 || event.target.closest(DRAGGED)) return;
  if (on.matches(".plot")) event.stopPropagation(); // plotly would zoom; a tap still says what a mark is
  const [{ clientX: x, clientY: y }] = event.touches;
  finger = { x, y, when: event.timeStamp, before: on.scrollLeft, after: on.scrollWidth - on.clientWidth - on.scrollLeft };
}

function lift({ changedTouches: [{ clientX: x, clientY: y }], timeStamp, touches }) {
  const by = finger && !touches.length ? led(finger, { x, y, when: timeStamp }) : 0;
  finger = undefined;
  if (by) step(by);
}

// --- on paper ---------------------------------------------------------------------------------------------------------

// Light colours, whatever the screen has, and the figure no wider than the sheet.
function toPaper() {
  const box = document.querySelector(".plot.on-stage");
  if (!box) return;
  for (const [name, value] of Object.entries(current.light)) box.style.setProperty(`--st-${name}`, value);
  const [wide, tall] = [box.clientWidth, box.clientHeight];
  const sheet = { wide: `${wide}px`, tall: `${tall}px`, fit: Math.min(PRINTED / wide, 1) };
  for (const [name, value] of Object.entries(sheet)) BODY.style.setProperty(`--${name}`, value);
  redraw();
}

function fromPaper() {
  const box = document.querySelector(".plot.on-stage");
  for (const name of Object.keys(current.light)) box?.style.removeProperty(`--st-${name}`);
  redraw();
}
