// Explanations are open on the first visit to a page and folded from then on, unless a person opened or folded them: that
// holds until it is done again. The browser keeps it for each page; see folds.py.
//
// A style sheet folds, by the class that Streamlit gives the container of a page's explanations: it holds before they
// arrive, so nothing jumps.

import { store, stored } from "../widgets/stored.js";

const KEY = "evalcore explanations";
const ROOT = document.documentElement;
const sheet = new CSSStyleSheet();
const visited = new Set(); // pages whose first visit goes on: open, but kept as folded
let here = ""; // where the last explanation was seen

export default function fold({ data, parentElement }) {
  const button = parentElement.querySelector("button");
  button.dataset.page = data.page;
  button.onclick = () => turn(data.page);
  arrive(data.page);
  return () => button.isConnected || location.pathname === here || leave();
}

function arrive(page) {
  if (here !== location.pathname) leave();
  here = location.pathname;
  const kept = read();
  if (!(page in kept)) {
    visited.add(page);
    write({ ...kept, [page]: false });
  }
  apply();
}

// The first visit is over.
function leave() {
  here = "";
  visited.clear();
  apply();
}

function turn(page) {
  const open = !isOpen(read(), page);
  visited.delete(page);
  write({ ...read(), [page]: open });
  apply();
}

const isOpen = (kept, page) => visited.has(page) || kept[page] !== false;

function apply() {
  const kept = read();
  const folded = Object.keys(kept).filter((page) => !isOpen(kept, page));
  const blocks = folded.map((page) => `[class*="st-key-explained-${CSS.escape(page)}-"] > [data-testid="stLayoutWrapper"]`);
  sheet.replaceSync(blocks.length ? `@media screen { ${blocks.join(", ")} { display: none; } }` : "");
  if (!document.adoptedStyleSheets.includes(sheet)) document.adoptedStyleSheets.push(sheet);
  ROOT.classList.add("folds-known");
  for (const button of document.querySelectorAll("button.fold")) button.ariaExpanded = String(isOpen(kept, button.dataset.page));
}

let unkept = {}; // what was written in this visit, where the browser keeps nothing

// What is not sound was written by others: there explanations stay open.
function read() {
  const kept = stored(KEY);
  const sound = kept && typeof kept === "object" ? Object.entries(kept).filter(([page, open]) => /^\w+$/.test(page) && typeof open === "boolean") : [];
  return { ...unkept, ...Object.fromEntries(sound) };
}

function write(kept) {
  unkept = kept;
  store(KEY, kept);
}
