// The box that finds pages, settings, measures, systems, topics and words; see palette.py. Names are foreign: they are
// shown as text only.

const KINDS = [
  ["page", "Pages"],
  ["setting", "Settings of this page"],
  ["measure", "Measures"],
  ["system", "Systems, to highlight"],
  ["topic", "Topics"],
  ["word", "Words of the glossary"],
];
const MOST = 8; // of a kind, but of pages and settings while nothing is typed
const MAC = /Mac|iPhone|iPad/.test(navigator.platform);
const utf8 = new TextDecoder();
let box; // the one on the page: its parts, its data, how to tell the app

export default function ({ data, parentElement, setTriggerValue }) {
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
  input.oninput = () => show(made);
  dialog.onclose = () => list.replaceChildren();
  dialog.onkeydown = (event) => press(made, event);
  list.onclick = (event) => {
    const option = event.target.closest("[role=option]");
    if (option) choose(made, Number(option.dataset.at));
  };
  list.onmousedown = (event) => event.preventDefault(); // the box keeps the focus
  list.onpointermove = (event) => {
    const option = event.target.closest("[role=option]");
    if (option) mark(made, Number(option.dataset.at));
  };
  dialog.onclick = (event) => event.target === dialog && dialog.close(); // beside the box
  return made;
}

// Never over another one, nor over a figure that is presented.
function open(made) {
  const others = [...document.querySelectorAll("dialog[open], [role=dialog], [aria-modal=true]")];
  if (document.body.classList.contains("presenting") || others.some((one) => one.checkVisibility())) return;
  if (made.data !== made.read) Object.assign(made, { read: made.data, ...entries(JSON.parse(utf8.decode(made.data))) });
  made.items = [...made.named, ...controls()];
  made.input.value = "";
  made.dialog.showModal();
  show(made);
}

function press(made, event) {
  event.stopPropagation(); // single letters are keys of the app
  const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: MOST, PageUp: -MOST };
  if (event.isComposing) return;
  if (event.key in steps) {
    const [last, to] = [made.found.length - 1, made.at + steps[event.key]];
    const round = Math.abs(steps[event.key]) === 1; // from an end to the other
    mark(made, to > last ? (round ? 0 : last) : to < 0 ? (round ? last : 0) : to, true);
  } else if (event.key === "Enter") {
    choose(made, made.at);
  } else {
    return;
  }
  event.preventDefault();
}

// --- what can be found ----------------------------------------------------------------------------------------------

const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
const entry = (kind, name, label, also = "") => ({ kind, name, label, also, first: plain(label), second: plain(also), lead: kind });

function entries({ page, known, measure, system, topic, word, heads, leads }) {
  const named = [
    ...page.map(([stem, label, question]) => entry("page", stem, label, question)),
    ...known.map((text) => ({ ...entry("measure", text, text), lead: "known" })),
    ...measure.map((text) => entry("measure", text, text)),
    ...system.map((name) => entry("system", name, name)),
    ...topic.map(([name, query]) => entry("topic", name, name, query)),
    ...word.map(([name, also]) => entry("word", name, name, also)),
  ];
  return { named, leads, stems: page.map(([stem]) => stem), heads: new Set(heads.map(plain)) };
}

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

// --- the search -------------------------------------------------------------------------------------------------------

// How well a text holds a word: 0 from its own beginning, 1 from that of one of its words, 2 anywhere, 9 not at all.
function rank(text, word) {
  const at = text.indexOf(word);
  if (at <= 0) return at < 0 ? 9 : 0;
  for (let one = at; one >= 0; one = text.indexOf(word, one + 1)) if (!/[\p{L}\p{N}]/u.test(text[one - 1])) return 1;
  return 2;
}

function search(made) {
  const typed = made.input.value.trim();
  const words = plain(typed).split(/\s+/).filter(Boolean);
  if (!words.length) return made.items.filter(({ kind }) => kind === "page" || kind === "setting").map((item) => [item, 0]);
  const hits = [];
  for (const item of made.items) {
    let worst = 0; // every word has to be there; what else finds it comes after its name
    for (const word of words) worst = Math.max(worst, Math.min(rank(item.first, word), rank(item.second, word) + 3));
    if (worst < 9) hits.push([item, item.first === plain(typed) ? -1 : worst]);
  }
  const known = hits.some(([{ kind, name }]) => kind === "measure" && name === typed);
  if (!known && made.heads.has(plain(/^\w+/.exec(typed)?.[0] ?? "")) && /^\w+\s*(@\s*\d|\(.*\)$)/s.test(typed)) {
    hits.unshift([entry("measure", typed, typed, "as typed"), -1]);
  }
  return hits;
}

// The hits of a kind stand by how well they fit, then as they were given; the kinds by their best hit, where the beginning
// of a word is as good as that of the name.
function groups(hits, most) {
  const by = KINDS.map(([kind, title]) => {
    const own = hits.filter(([item]) => item.kind === kind).sort((a, b) => a[1] - b[1]);
    return { title, kind, own: own.slice(0, most), best: own[0]?.[1] === 1 ? 0 : own[0]?.[1] };
  });
  return by.filter(({ own }) => own.length).sort((a, b) => a.best - b.best);
}

function show(made) {
  const hits = search(made);
  const shown = groups(hits, made.input.value.trim() ? MOST : Infinity);
  made.found = [];
  made.list.replaceChildren(...shown.map((group) => drawn(group, made.found)));
  made.list.scrollTop = 0;
  const more = hits.length - made.found.length;
  made.status.textContent = !hits.length ? "Nothing found" : more ? `${made.found.length} shown, ${more} more: type on` : `${hits.length} found`;
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

const element = (name, has) => Object.assign(document.createElement(name), has);

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

// A page as it was last seen, as the menu opens it, but for what is said and what falls back to its default. It becomes an
// entry of the browser's history, and the app is told as Back tells it: nothing is loaded anew, and Back leads back.
function visit({ stems }, page, said, dropped) {
  const parts = location.pathname.split("/");
  const last = parts.at(-1);
  const base = !last || stems.includes(last) ? parts.slice(0, -1) : parts;
  const seen = JSON.parse(document.querySelector(".palette-seen").dataset.seen);
  const own = page === (last || "home") ? mine(page) : (seen[page] ?? {});
  const kept = Object.entries(own).filter(([key]) => dropped && !dropped.includes(key));
  const query = new URLSearchParams();
  for (const [key, texts] of Object.entries({ ...seen[""], ...Object.fromEntries(kept), ...said })) {
    for (const text of texts) query.append(key, text);
  }
  const address = [...base, page === "home" ? "" : page].join("/") + (query.size ? `?${query}` : "");
  if (address === location.pathname + location.search) return;
  history.pushState({}, "", address);
  dispatchEvent(new PopStateEvent("popstate", { state: {} }));
  document.querySelector('[data-testid="stMain"]')?.scrollTo(0, 0);
}

// The own settings of the page that is open: what the app says of the others is known before this one has run.
function mine(page) {
  const found = {};
  for (const [key, text] of new URLSearchParams(location.search)) {
    if (key.startsWith(`${page}.`)) (found[key] ??= []).push(text);
  }
  return found;
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
