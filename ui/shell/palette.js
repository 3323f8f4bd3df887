// The box that finds pages, settings, measures, systems, topics and words; see palette.py. Names are foreign: they are
// shown as text only.

import { element, goTo } from "../widgets/elements.js";
import { addressOf, counted, entries, entry, groups, plain, search, stepped } from "./palette_search.js";

const MOST = 8; // of a kind, but of pages and settings while nothing is typed
const MAC = /Mac|iPhone|iPad/.test(navigator.platform);
const utf8 = new TextDecoder();
let box; // the one on the page: its parts, its data, how to tell the app

export default function show({ data, parentElement, setTriggerValue }) {
  const [dialog, button] = ["dialog", "button"].map((name) => parentElement.querySelector(name));
  if (box?.dialog !== dialog) box = begin(dialog, button);
  Object.assign(box, { data, tell: setTriggerValue });
}

// The page has one box at a time: a new one takes the keys over.
addEventListener("keydown", (event) => {
  const asked = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
  if (!asked || !box?.dialog.isConnected) return;
  event.preventDefault(); // also while it is open: the browser has a search of its own under these keys
  event.stopPropagation();
  if (!event.repeat) open(box);
}, true);

function begin(dialog, button) {
  const [input, list, status] = ["input", "[role=listbox]", "[role=status]"].map((name) => dialog.querySelector(name));
  const made = { dialog, input, list, status, items: [], found: [], at: 0 };
  const keys = MAC ? "⌘ K" : "Ctrl K";
  button.querySelector("kbd").textContent = keys;
  button.ariaLabel = `Find, ${keys}`;
  button.title = `${input.placeholder} (${keys})`;
  button.onclick = () => open(made);
  input.oninput = () => find(made);
  dialog.onclose = () => list.replaceChildren();
  dialog.onkeydown = (event) => press(made, event);
  const on = (does) => (event) => {
    const option = event.target.closest("[role=option]");
    if (option) does(made, Number(option.dataset.at));
  };
  list.onclick = on(choose);
  list.onmousedown = (event) => event.preventDefault(); // the box keeps the focus
  list.onpointermove = on(mark);
  dialog.onclick = (event) => event.target === dialog && dialog.close(); // beside the box
  return made;
}

// Never over another one, nor over a figure that is presented.
function open(made) {
  const others = [...document.querySelectorAll("dialog[open], [role=dialog], [aria-modal=true]")];
  if (document.body.classList.contains("presenting") || others.some((one) => one.checkVisibility())) return;
  if (made.data !== made.read) Object.assign(made, { read: made.data, ...named(JSON.parse(utf8.decode(made.data))) });
  made.items = [...made.named, ...controls()];
  made.input.value = "";
  made.dialog.showModal();
  find(made);
}

function press(made, event) {
  event.stopPropagation(); // single letters are keys of the app
  const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: MOST, PageUp: -MOST };
  if (event.isComposing) return;
  if (event.key in steps) {
    mark(made, stepped(made.at, steps[event.key], made.found.length), true);
  } else if (event.key === "Enter") {
    choose(made, made.at);
  } else {
    return;
  }
  event.preventDefault();
}

// --- what can be found ----------------------------------------------------------------------------------------------

const named = (data) => ({
  named: entries(data),
  leads: data.leads,
  stems: data.page.map(([stem]) => stem),
  heads: new Set(data.heads.map(plain)),
});

// The controls on the page, by their labels and by the names that they have in the address.
function controls() {
  const found = new Map();
  for (const label of document.querySelectorAll('[data-testid="stWidgetLabel"]')) {
    const control = label.closest('[data-testid="stElementContainer"]');
    const text = label.textContent.trim();
    if (!control || !text || found.has(control)) continue;
    const key = [...control.classList].find((name) => name.startsWith("st-key-")) ?? "";
    const made = entry("setting", "", text, where(control));
    found.set(control, { ...made, control, second: `${made.second} ${plain(key.split("-").slice(3).join(" "))}` });
  }
  return [...found.values()];
}

const panels = (control) => around(control, '[role="tabpanel"]').map((one) => document.getElementById(one.getAttribute("aria-labelledby")));
const folds = (control) => around(control, "details").map((one) => one.querySelector("summary"));

function around(control, selector) {
  const found = [];
  for (let one = control.parentElement?.closest(selector); one; one = one.parentElement.closest(selector)) found.unshift(one);
  return found;
}

// Where a control stands: of several with one label, its fold or tab tells which.
function where(control) {
  const heads = [...panels(control), ...folds(control)].map((one) => one?.innerText?.trim().split("\n").at(-1));
  const bar = control.closest('[data-testid="stSidebar"]') ? ["at the left, for all pages"] : [];
  return [...bar, ...heads.filter(Boolean)].join(" · ");
}

// --- what is found -----------------------------------------------------------------------------------------------------

function find(made) {
  const hits = search(made.items, made.heads, made.input.value);
  const shown = groups(hits, made.input.value.trim() ? MOST : Infinity);
  made.found = [];
  made.list.replaceChildren(...shown.map((group) => drawn(group, made.found)));
  made.list.scrollTop = 0;
  made.status.textContent = counted(hits.length, made.found.length);
  mark(made, 0);
}

function drawn({ kind, title, own }, found) {
  const group = element("div", { role: "group" });
  const head = element("h6", { id: `palette-${kind}`, role: "presentation", textContent: title });
  group.setAttribute("aria-labelledby", head.id);
  group.append(head);
  for (const [item] of own) {
    const option = element("div", { role: "option", id: `palette-${found.length}`, ariaSelected: "false" });
    option.dataset.at = found.push(item) - 1;
    option.append(element("span", { textContent: item.label }));
    if (item.also) option.append(element("small", { textContent: item.also }));
    group.append(option);
  }
  return group;
}

function mark(made, at, scroll = false) {
  const options = made.list.querySelectorAll("[role=option]");
  if (options[made.at]) options[made.at].ariaSelected = "false";
  made.at = at;
  const option = options[at];
  if (!option) return made.input.removeAttribute("aria-activedescendant");
  option.ariaSelected = "true";
  made.input.setAttribute("aria-activedescendant", option.id);
  if (scroll) (at ? option : made.list.firstElementChild).scrollIntoView({ block: "nearest" });
}

// --- going there ------------------------------------------------------------------------------------------------------

function choose(made, at) {
  const item = made.found[at];
  if (!item) return;
  made.dialog.close(); // the focus goes back to where it was
  if (item.kind === "setting") reach(item.control);
  else if (item.kind === "system") made.tell("system", item.name);
  else visit(made, ...(item.kind === "page" ? [item.name, {}, []] : atSetting(made, item)));
}

function atSetting({ leads }, { lead, name }) {
  const [page, key, dropped] = leads[lead];
  return [page, { [key]: [name] }, dropped];
}

function visit({ stems }, page, settings, dropped) {
  const seen = JSON.parse(document.querySelector(".palette-seen").dataset.seen);
  const address = addressOf(location, { stems, seen }, page, settings, dropped);
  if (address === location.pathname + location.search) return;
  goTo(address);
  document.querySelector('[data-testid="stMain"]')?.scrollTo(0, 0);
}

// Opens what hides a control, scrolls to it and gives it the focus.
function reach(control) {
  for (const tab of panels(control)) if (tab?.getAttribute("aria-selected") === "false") tab.click();
  for (const fold of folds(control)) if (fold && !fold.parentElement.open) fold.click();
  const [bar, wider] = ['[data-testid="stSidebar"]', '[data-testid="stExpandSidebarButton"]'];
  if (control.closest(`${bar}[aria-expanded="false"]`)) document.querySelector(wider)?.click();
  requestAnimationFrame(() => {
    control.scrollIntoView({ block: "center" });
    const takes = 'input:not([type="hidden"]), textarea, [role="slider"], [role="radio"], [role="combobox"], button, [tabindex="0"]';
    const parts = [...control.querySelectorAll(takes)].filter((one) => !one.closest('[data-testid="stWidgetLabel"] [data-testid="stTooltipIcon"]'));
    (parts.find((one) => one.tabIndex >= 0) ?? control).focus({ preventScroll: true });
  });
}
