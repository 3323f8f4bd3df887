// A document to highlight in, by mouse, finger or keys; see lesson.py.
//
// Mouse: drag over words, or click the first and the last one. Finger: tap the first and the last word. Keys: the arrows
// move by word and line, with Shift they select words, Enter applies the tool. Texts come from files: never show them as HTML.

import { element } from "../widgets/elements.js";
import { button, catchUp, done, hand, renew, undoing } from "../teaching/guided_path/by_hand.js";
import { cut } from "./pieces.js";

const TOOLS = [["mark", "Highlight"], ["erase", "Erase"], ["entry", "Best entry point"]];
const pen = { tool: "mark", at: 0 };

export default function highlight({ data, parentElement, setTriggerValue }) {
  catchUp(data, setTriggerValue);
  const other = pen.data?.line !== data.line;
  if (other) Object.assign(pen, { from: undefined, at: 0 });
  Object.assign(pen, { data, box: parentElement.querySelector(".highlighting") });
  draw(other);
}

// --- the text ---------------------------------------------------------------------------------------------------------

function draw(other) {
  const { box, data } = pen;
  const old = box.querySelector(".text");
  const scroll = old && !other ? old.scrollTop : undefined;
  const tools = TOOLS.map(([tool, textContent]) => button(tool, { textContent, ariaPressed: String(tool === pen.tool),
    onclick: () => { Object.assign(pen, { tool, from: undefined }); draw(); } }));
  const text = element("div", { className: "text", tabIndex: 0, role: "group", dir: "auto",
    ariaLabel: `Text of ${data.title}. Arrows move, Shift chooses words, Enter uses the tool.` });
  text.dataset.part = "text";
  text.classList.toggle("whole", Boolean(pen.whole));
  const pieces = cut(data).map(drawn);
  text.append(...pieces.flatMap((one) => [...one.before, one.span]));
  pen.places = pieces.filter((one) => one.solid);
  pen.at = Math.min(pen.at, Math.max(pen.places.length - 1, 0));
  text.onmousedown = (event) => event.button || window.addEventListener("mouseup", released, { once: true });
  text.onkeydown = press;
  text.onfocus = text.onblur = () => choose();
  const legend = [["mine", "yours"], ["returned", "returned"], ...(data.compared ? [["theirs", "the assessor's"]] : [])];
  const compare = button("compare", { textContent: "Compare with the assessor", ariaPressed: String(data.compared),
    onclick: () => { hand.when = performance.now(); hand.tell("compared", { on: !data.compared }); } });
  const whole = button("whole", { textContent: "Whole text", ariaPressed: String(Boolean(pen.whole)),
    onclick: () => { pen.whole = !pen.whole; draw(); } });
  const below = element("div", { className: "below" }, [
    compare,
    whole,
    ...legend.map(([className, textContent]) => element("span", { className, textContent })),
    element("span", { className: "now", role: "status" }),
  ]);
  const bar = element("div", { className: "tools", role: "group", ariaLabel: "Tools" }, [...tools, undoing()]);
  renew(box, [bar, text, below], "text");
  if (scroll !== undefined) text.scrollTop = scroll;
  else show(text, pieces.find((one) => one.rank)?.span);
  choose();
}

const SIGNS = { begun: ["begun", "▷ system begins"], theirs: ["other", "▷ assessor"], mine: ["", "▷ best entry point"] };

// A piece of the text, preceded by the rank of a passage that begins there, and by entry points.
function drawn({ names, entries, text, begins, ...piece }, at) {
  const span = element("span", { className: names.join(" "), textContent: text });
  span.dataset.at = String(at);
  const before = begins ? [element("span", { className: "rank", textContent: String(piece.rank) })] : [];
  for (const [kind, textContent] of entries.map((one) => SIGNS[one])) before.push(element("span", { className: `entry ${kind}`, textContent }));
  return { ...piece, span, before };
}

// --- input ------------------------------------------------------------------------------------------------------------

function released(event) {
  const chosen = window.getSelection();
  const within = (one) => chosen.containsNode(one.span, true);
  const first = chosen.isCollapsed || pen.tool === "entry" ? -1 : pen.places.findIndex(within);
  const clicked = indexOf(event.target);
  if (first >= 0) {
    const last = pen.places.findLastIndex(within);
    chosen.removeAllRanges();
    use(first, last);
  } else if (clicked >= 0) {
    click(clicked);
  }
}

// One click sets the entry point; two choose the first and the last word.
function click(at) {
  pen.at = at;
  if (pen.tool === "entry") return use(at, at);
  if (pen.from === undefined) {
    pen.from = at;
    return choose("Now choose the last word.");
  }
  use(pen.from, at);
}

function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const onward = getComputedStyle(event.currentTarget).direction === "rtl" ? -1 : 1; // to the right
  const to = { ArrowLeft: () => pen.at - onward, ArrowRight: () => pen.at + onward, ArrowUp: () => beside(-1), ArrowDown: () => beside(1) }[event.key];
  if (to) walk(to(), event.shiftKey);
  else if (event.key === "Enter" || event.key === " ") use(pen.from ?? pen.at, pen.at);
  else if (event.key === "Escape" && pen.from !== undefined) {
    pen.from = undefined;
    choose();
  } else return;
  event.preventDefault();
  event.stopPropagation(); // arrows are also keys of the app
}

// Move to another word; with Shift, select all words between it and the first one.
function walk(to, choosing) {
  pen.from = choosing ? (pen.from ?? pen.at) : undefined;
  pen.at = Math.min(Math.max(to, 0), pen.places.length - 1);
  show(pen.box.querySelector(".text"), pen.places[pen.at]?.span);
  choose();
}

// Return the nearest word in the line above or below.
function beside(step) {
  const here = pen.places[pen.at].span.getBoundingClientRect();
  let best = pen.at, line;
  for (let at = pen.at + step; at >= 0 && at < pen.places.length; at += step) {
    const there = pen.places[at].span.getBoundingClientRect();
    if (Math.abs(there.top - here.top) < 4) continue;
    line ??= there.top;
    if (Math.abs(there.top - line) >= 4) break;
    if (best === pen.at || Math.abs(there.left - here.left) < Math.abs(pen.places[best].span.getBoundingClientRect().left - here.left)) best = at;
  }
  return best;
}

// --- actions ----------------------------------------------------------------------------------------------------------

function use(from, to) {
  const [first, last] = [from, to].sort((a, b) => a - b).map((at) => pen.places[at]);
  pen.from = undefined;
  if (!first) return;
  done(pen.tool === "entry" ? `entry:${first.start}` : `${pen.tool}:${first.start}:${last.end}`);
  choose();
}

// Show the selected words, and announce them.
function choose(more = "") {
  const text = pen.box.querySelector(".text");
  const on = document.activeElement === text || pen.from !== undefined;
  const [low, high] = [pen.from ?? pen.at, pen.at].sort((a, b) => a - b);
  pen.places.forEach((one, at) => one.span.classList.toggle("chosen", on && low <= at && at <= high));
  const chosen = on ? pen.places.slice(low, high + 1).map((one) => one.span.textContent) : [];
  const words = chosen.length > 6 ? [...chosen.slice(0, 3), "…", ...chosen.slice(-2)] : chosen;
  pen.box.querySelector(".now").textContent = words.length ? `${words.join(" ")}. ${more}`
    : "Keys: arrows, Shift, Enter";
}

function indexOf(node) {
  const span = (node instanceof Element ? node : node?.parentElement)?.closest("[data-at]");
  if (!span || !pen.box.contains(span)) return -1;
  const at = Number(span.dataset.at);
  const next = pen.places.findIndex((one) => Number(one.span.dataset.at) >= at);
  return next < 0 ? pen.places.length - 1 : next;
}

function show(box, span) {
  if (!span) return;
  const [outer, inner] = [box.getBoundingClientRect(), span.getBoundingClientRect()];
  if (inner.top < outer.top + 8 || inner.bottom > outer.bottom - 8) box.scrollTop += inner.top - outer.top - 30;
}
