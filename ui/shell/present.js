// Presentation: one figure, table or text fills the screen, with its caption below; see present.py. plot.js draws the figure
// on stage as large as its box, with larger type.

import { paragraphs } from "#following/lines.js";
import { areaSeen, element, goTo } from "../widgets/elements.js";
import { classOf } from "./following/state.js";
import { foldSidebar, speak } from "./spoken.js";
import { chosen, keyDoes, led, ordinal, whereInList } from "./scenes.js";

const BODY = document.body;
const TEXTS = '[data-testid="stMain"] :is([data-testid="stMarkdown"], [data-testid="stHeading"]) [data-testid="stMarkdownContainer"], '
  + '[data-testid="stMain"] [data-testid="stAlert"] [data-testid="stMarkdownContainer"], [data-testid="stMain"] [data-testid="stMetric"]';
const DRAGGED = ".handle, .modebar-container, button, input"; // elements with their own touch gestures
const PATIENCE = 4000; // ms that a requested view delays the next one
let current = {}; // the page's figures and tables in order, with captions, and its data and settings
let stage; // the item on stage, by identity, because others may be added before it
let place = 0; // its position among all, in case it leaves the page
let begun; // the figure in view when the presentation began
let moved = false; // true after a key or touch has chosen; until then `begun`, or the first, is shown
let going; // word of the requested view of the list, until it is shown
let sent; // word of the view requested from the app: one at a time, because a second request would interrupt the first
let when = 0; // when it was requested
let waiting; // timer that gives up waiting for it
let quiet = false; // true if notes are hidden
let met = false; // true if the page was seen without presentation
let tell = () => {}; // reports events to the app
const leave = () => tell("left", true); // ends the presentation

export default function present({ data, setTriggerValue }) {
  tell = setTriggerValue;
  speak(data);
  foldSidebar();
  const wanted = Boolean(data.on);
  arrive(data);
  BODY.classList.toggle("on-the-way", wanted && going !== undefined);
  if (wanted !== BODY.classList.contains("presenting")) (wanted ? begin : end)();
  if (wanted) show();
  if (wanted && going) travel();
  met ||= !wanted;
}

// Another page, or another view of the list, begins with its first item.
function arrive(data) {
  const another = data.list?.word !== current.list?.word;
  if (data.on && (another || data.page !== current.page)) [moved, begun] = [false, undefined];
  if (another) sent = undefined;
  if (data.list?.word === going) going = undefined;
  current = data;
}

// The browser's Back and Forward work as usual.
addEventListener("popstate", ({ isTrusted }) => { if (isTrusted) going = sent = undefined; });

// --- items of the page ------------------------------------------------------------------------------------------------

// True if an element is visible on the page, not in a closed fold or tab.
const standing = (box) => box.closest('[data-testid="stElementContainer"]')?.checkVisibility() ?? true;

// Return the page's figures in the order in which they were made: the main figure comes first, wherever it is placed.
function figures() {
  const names = (current.figures ?? []).map(({ key }) => classOf(key));
  const rank = (box) => {
    const at = names.findIndex((name) => box.closest(`.${CSS.escape(name)}`));
    return at < 0 ? names.length : at;
  };
  const shown = [...document.querySelectorAll(".plot")].filter(standing);
  return shown.toSorted((a, b) => rank(a) - rank(b)).map((box) => ({ kind: "Figure", known: box, ...current.figures?.[rank(box)] }));
}

// save.js requests the caption of a figure that is saved.
addEventListener("caption", ({ target, detail }) => {
  detail.text = figures().find(({ known }) => known === target)?.usual;
});

// Return all items for the stage. A page without figures and tables shows its text.
function scenes() {
  if (current.list?.missing) return [{ kind: "Missing", known: "missing", missing: current.list.missing }];
  const drawn = figures();
  const text = drawn.length || current.figures.length || current.tables.length ? [] : [{ kind: "Text", known: "text", usual: current.about }];
  const tables = current.tables.map((table, at) => ({ kind: "Table", known: `table ${at}`, usual: table.caption, table }));
  return [...drawn, ...text, ...tables];
}

// Return the figure with the largest visible part.
function inView() {
  const seen = ({ known }) => areaSeen(known);
  return figures().filter(seen).toSorted((a, b) => seen(b) - seen(a))[0]?.known;
}

// --- on and off -------------------------------------------------------------------------------------------------------

function begin() {
  begun = met && !current.list ? inView() : undefined; // nobody has looked at a page just opened by a link
  moved = false;
  BODY.classList.add("presenting");
  document.activeElement?.blur();
  arrivals.observe(BODY, { childList: true, subtree: true, characterData: true });
  for (const heard of listeners()) addEventListener(...heard);
}

const listeners = () => [
  ["keydown", press, true], ["touchstart", touch, true], ["touchend", lift, true],
  ["resize", redraw],
];

function end() {
  BODY.classList.remove("presenting", "with-controls", "on-the-way", "with-caption");
  clearTimeout(waiting);
  going = sent = undefined;
  arrivals.disconnect();
  sizes.disconnect();
  for (const heard of listeners()) removeEventListener(...heard);
  document.querySelectorAll(".on-stage").forEach((box) => box.classList.remove("on-stage"));
  document.querySelector(".stage")?.remove();
  redraw();
}

// Figures of a page opened in presentation mode arrive one by one, and a text changes in place.
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
    button("←", "Back: ←", () => lead(-1)),
    element("span", { ariaLive: "polite" }),
    button("→", "Forward: →", () => lead(1)),
    button("☰", "Controls: C", controls),
    button("✕", "Leave: Esc", quit),
  ];
  return element("section", { className: "stage", ariaLabel: "Presentation" }, [
    element("div", { className: "stage-title" }, [element("strong"), element("nav", { ariaLabel: "Presentation" }, buttons)]),
    element("div", { className: "stage-sheet", tabIndex: 0, onscroll: ({ target }) => countRest(target) }),
    element("div", { className: "stage-caption", title: "All of it: N", onclick: () => { BODY.classList.toggle("with-caption"); show(); } }),
  ]);
}

// The figure gets the space that title and caption leave.
const sizes = new ResizeObserver(() => {
  const { bar, sheet, foot } = parts();
  BODY.style.setProperty("--stage-head", `${bar.offsetHeight}px`);
  BODY.style.setProperty("--stage-foot", `${foot.offsetHeight}px`);
  reachable(foot);
  countRest(sheet);
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
  const left = head(bar, all, now);
  sheet.hidden = !now || now.kind === "Figure";
  if (!sheet.hidden) {
    fill(sheet, now);
    if (document.activeElement === BODY) sheet.focus(); // so that the up and down arrows scroll it
  }
  caption(foot, now, left);
  sizes.observe(bar);
  sizes.observe(foot);
  countRest(sheet);
  redraw();
}

// Draw the title, if any, and the buttons to other views.
function head(bar, all, now) {
  const { list, steps } = current, at = entryAt(), part = ordinal(all, now);
  const [back, onward] = bar.querySelectorAll("button");
  const left = fit(bar.firstChild, sentences(titleOf(now, at)));
  const within = moved && now?.kind !== "Missing" ? part : "";
  bar.querySelector("span").textContent = list ? whereInList(at, list.views.length, within) : part;
  const alone = all.length < 2;
  [back.disabled, onward.disabled] = list ? [at === 0, at === list.views.length - 1] : [alone && !steps?.back, alone && !steps?.onward];
  return left;
}

// Return the whole sentences that fit the title's lines, at least the first, and the rest.
function fit(title, all) {
  const most = parseFloat(getComputedStyle(title).lineHeight) * parseFloat(getComputedStyle(title).getPropertyValue("--lines")) + 2;
  let count = all.length;
  do title.textContent = joined(all.slice(0, count)); while (title.scrollHeight > most && --count);
  return all.slice(Math.max(count, 1));
}

const sentences = (text) => text.split(/(?<=[.?!]) +(?=\p{L})| · /u).filter(Boolean);
const joined = (all) => all.map((one, at) => (at ? (/[.?!]$/.test(all[at - 1]) ? " " : " · ") : "") + one).join("");

// Return the person's title of the view, the step's question, the figure's finding, or the page's question.
function titleOf(now, at) {
  const title = current.list && (going ? current.list.views[at].title : current.list.title);
  const early = document.querySelector(".st-key-so-far")?.textContent.trim(); // see ui/claims/scored.py
  return title || current.steps?.question || inHand() || parted(now).finding || early || (document.querySelector("h1")?.textContent ?? "");
}

// Return the first figure's headline while a slider moves; see following/words.js.
function inHand() {
  const text = place === 0 && document.querySelector('[class*="st-key-sentence-headline"] .live-text p')?.cloneNode(true);
  if (!text) return "";
  for (const one of text.querySelectorAll("br")) one.replaceWith("\n");
  return text.textContent.replaceAll(".\n", ". ").replaceAll("\n", " · ");
}

// Return the view of the list that is on stage, or requested.
const entryAt = () => current.list?.views.findIndex(({ word }) => word === (going ?? current.list.word));

// Split a caption into the finding, which is the title unless a person gave one, and the rest.
function parted(now) {
  const all = paragraphs(now?.usual ?? ""), titled = current.steps?.question || (current.list && (going || current.list.title));
  const first = all[0]?.bold && !titled;
  return { finding: first ? all[0].words : "", rest: first ? all.slice(1) : all };
}

// Show item, data, measures and settings: the whole sentences that fit one line, and the rest on a click or a key.
function caption(foot, now, left) {
  const { rest } = parted(now), note = quiet || going ? "" : (current.list?.note ?? "").trim();
  const all = [...left.map((words) => ({ words })), ...rest.flatMap(({ words, bold }) => sentences(words).map((one) => ({ words: one, bold })))];
  const written = JSON.stringify([note, all]);
  if (foot.dataset.written !== written) {
    foot.dataset.written = written;
    const spans = all.map(({ words, bold }, at) => element(bold ? "strong" : "span", { textContent: joined([...(at ? [all[at - 1].words] : []), words]).slice(at ? all[at - 1].words.length : 0) }));
    foot.replaceChildren(...(note ? [element("div", { className: "stage-note", textContent: note })] : []), element("p", {}, spans));
  }
  const [first, ...others] = foot.lastChild.children, whole = BODY.classList.contains("with-caption");
  for (const one of others) one.hidden = !whole;
  const line = first?.offsetHeight;
  for (const one of whole ? [] : others) {
    one.hidden = false;
    one.hidden = foot.lastChild.offsetHeight > 1.5 * line || first.getClientRects().length > 1;
  }
  requestAnimationFrame(() => reachable(foot));
}

function fill(sheet, { kind, known, table, missing }) {
  const fresh = kind === "Table" ? [tableOf(table)] : kind === "Missing" ? [section([paragraph(missing)])] : texts();
  const html = fresh.map((one) => one.outerHTML).join("");
  if (sheet.html === html) return;
  sheet.html = html;
  if (sheet.dataset.known !== known) sheet.scrollTop = 0;
  sheet.dataset.known = known;
  sheet.replaceChildren(...fresh);
  fresh.forEach(reachable);
}

// Scrolling elements must be reachable by keyboard.
function reachable(box) {
  if (box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight) box.tabIndex = 0;
  else box.removeAttribute("tabindex");
}

function tableOf({ heads, rows, numeric, of }) {
  const cell = (tag) => (textContent, at) => element(tag, { textContent, className: numeric[at] ? "number" : "" });
  const row = (tag, cells) => element("tr", {}, cells.map(cell(tag)));
  const body = [element("thead", {}, [row("th", heads)]), element("tbody", {}, rows.map((cells) => row("td", cells)))];
  return element("div", {}, [element("table", {}, body), element("p", { className: "rest", title: of })]);
}

// Show below a table how many rows follow the visible ones.
function countRest(sheet) {
  const rest = sheet.querySelector(".rest");
  if (!rest) return;
  const foot = sheet.getBoundingClientRect().bottom - 1.5 * parseFloat(getComputedStyle(rest).lineHeight), rows = [...sheet.querySelectorAll("tbody tr")];
  const more = Number(rest.title) - rows.filter((row) => row.getBoundingClientRect().bottom <= foot).length;
  rest.textContent = more > 0 ? `and ${more.toLocaleString("en")} more` : "";
}

const section = (children) => element("section", {}, children);
const paragraph = (textContent) => element("p", { textContent });

// Return the text of the page in order, without title, controls and explanations.
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

// Go to the next view of the list, or to the next figure if no list is presented.
function lead(by) {
  if (!current.list) return step(by);
  const next = current.list.views[entryAt() + by];
  if (!next) return;
  going = next.word;
  BODY.classList.toggle("on-the-way", going !== current.list.word);
  travel();
  show();
}

function travel() {
  const next = current.list?.views.find(({ word }) => word === going), left = when + PATIENCE - performance.now();
  clearTimeout(waiting);
  if (!next || going === sent) return;
  if (sent && left > 0) return void (waiting = setTimeout(travel, left));
  if (going === current.list.word && !sent) return void (going = undefined);
  [sent, when] = [going, performance.now()];
  goTo(new URL(next.address, document.baseURI));
}

function controls() {
  BODY.classList.toggle("with-controls");
  if (!BODY.classList.contains("with-controls")) document.activeElement?.blur();
  redraw();
}

// A figure redraws itself when its box changes size, but must be told if only the type size changes.
const redraw = () => dispatchEvent(new Event("stage"));

// A focused control keeps its keys.
function press(event) {
  const on = event.target.closest?.bind(event.target) ?? (() => null);
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || on(".save-menu")) return;
  const [does, by] = keyDoes(event, on) ?? [];
  if (!does) return;
  ({ quit, controls, notes, step, lead })[does](by);
  event.preventDefault();
  event.stopPropagation();
}

function quit() {
  end();
  leave();
}

function notes() {
  if (current.list) quiet = !quiet;
  else BODY.classList.toggle("with-caption");
  show();
}

// A swipe across the stage changes views, unless it scrolls a table sideways or uses several fingers.
let finger; // start position and time, and how far the element under it can scroll to each side

function touch(event) {
  const on = event.target.closest?.(".plot.on-stage, .stage-sheet section, .stage-sheet");
  finger = undefined;
  if (!on || event.touches.length > 1 || event.target.closest(DRAGGED)) return;
  if (on.matches(".plot")) event.stopPropagation(); // plotly would zoom; a tap still describes a mark
  const [{ clientX: x, clientY: y }] = event.touches;
  finger = { x, y, when: event.timeStamp, before: on.scrollLeft, after: on.scrollWidth - on.clientWidth - on.scrollLeft };
}

function lift({ changedTouches: [{ clientX: x, clientY: y }], timeStamp, touches }) {
  const by = finger && !touches.length ? led(finger, { x, y, when: timeStamp }) : 0;
  finger = undefined;
  if (by) lead(by);
}
