// Explanations are open on the first visit to a page and folded from then on, unless a person opened or folded them: that
// holds until it is done again. The browser keeps it for each page; see folds.py.
//
// A style sheet folds, by the class that Streamlit gives the container of a page's explanations: it holds before they
// arrive, so nothing jumps.

const KEY = "evalcore explanations";
const ROOT = document.documentElement;
const sheet = new CSSStyleSheet();
const visited = new Set(); // pages whose first visit goes on: open, but kept as folded
let here = ""; // where the last explanation was seen

export default function ({ data, parentElement }) {
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

// A browser may refuse to keep anything, and others may have written there: then they stay open.
let unkept = {};
function read() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY));
    const sound = kept && typeof kept === "object" ? Object.entries(kept).filter(([page, open]) => /^\w+$/.test(page) && typeof open === "boolean") : [];
    return { ...unkept, ...Object.fromEntries(sound) };
  } catch {
    return unkept;
  }
}

function write(kept) {
  unkept = kept; // for this visit, where the browser keeps nothing
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {}
}
