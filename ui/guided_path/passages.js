// A document to highlight in, by mouse, finger or keys; see passages.py.
//
// Mouse: drag over words, or click the first and the last one. Finger: touch the first word and the last one. Keys: the
// arrows move by word and line, with Shift they choose words, Enter uses the tool. Texts are foreign: shown as text only.
// Places are characters as Python counts them. All marks are sent with each, so that of two quick ones none is lost.

const PATIENCE = 3000; // ms after which an answer that lacks what was sent is taken as it is
const TOOLS = [["mark", "Highlight"], ["erase", "Erase"], ["entry", "Best entry point"]];

export default function ({ data, parentElement, setTriggerValue }) {
  const box = parentElement.querySelector(".highlighting");
  const pen = (box.pen ??= { box, tool: "mark", at: 0, sent: [], when: -Infinity });
  const late = performance.now() - pen.when < PATIENCE && data.edits.length < pen.sent.length
    && data.edits.every((text, i) => text === pen.sent[i]);
  const other = pen.data?.line !== data.line;
  if (other) Object.assign(pen, { from: undefined, at: 0 });
  Object.assign(pen, { data, edits: late ? pen.sent : [...data.edits], tell: setTriggerValue });
  draw(pen, other);
}

// --- the text ---------------------------------------------------------------------------------------------------------

function draw(pen, other) {
  const { box, data } = pen;
  const old = box.querySelector(".text");
  const focused = box.contains(document.activeElement) ? document.activeElement.dataset.part : undefined;
  const scroll = old && !other ? old.scrollTop : undefined;
  const tools = element("div", { className: "tools", role: "group", ariaLabel: "Tool" }, TOOLS.map(([tool, words]) => {
    const button = element("button", { type: "button", textContent: words, ariaPressed: String(tool === pen.tool),
      onclick: () => { pen.tool = tool; pen.from = undefined; draw(pen); } });
    button.dataset.part = tool;
    return button;
  }));
  const legend = [["mine", "you"], ["returned", "returned"], ...(data.compared ? [["theirs", "the assessor"]] : [])];
  tools.append(...legend.map(([className, textContent]) => element("span", { className, textContent })));
  const text = element("div", { className: "text", tabIndex: 0, role: "group",
    ariaLabel: `Text of ${data.title}. Arrows move, Shift chooses words, Enter uses the tool.` });
  text.dataset.part = "text";
  pen.words = words(data);
  text.append(...pen.words.flatMap((one) => [...one.before, one.span]));
  pen.places = pen.words.filter((one) => one.solid);
  pen.at = Math.min(pen.at, Math.max(pen.places.length - 1, 0));
  text.onmousedown = () => { pen.down = true; };
  text.onmouseup = (event) => released(pen, event);
  text.onkeydown = (event) => press(pen, event);
  text.onblur = () => choose(pen);
  const said = element("p", { className: "said", role: "status" });
  box.replaceChildren(tools, text, said);
  if (scroll !== undefined) text.scrollTop = scroll;
  else show(text, pen.words.find((one) => one.rank)?.span);
  if (focused) box.querySelector(`[data-part="${focused}"]`)?.focus({ preventScroll: true });
  choose(pen);
}

// The text cut into words and what is between them, wherever something begins or ends.
function words({ text, mine, theirs, returned, entries }) {
  const borders = new Set([...mine, ...theirs, ...returned].flatMap(([start, end]) => [start, end]));
  Object.values(entries).forEach((at) => borders.add(at));
  const within = (ranges, at) => ranges.find(([start, end]) => start <= at && at < end);
  const found = [];
  let at = 0, rank = 0;
  for (const [piece] of text.matchAll(/\s+|\S+/gu)) {
    let part = "", start = at;
    const close = () => {
      if (!part) return;
      const hit = within(returned, start);
      const names = [[within(mine, start), "mine"], [within(theirs, start), "theirs"], [hit, "returned"]];
      const span = element("span", { className: names.filter(([on]) => on).map(([, name]) => name).join(" "), textContent: part });
      const before = marksAt(start, entries);
      if (hit && hit[2] !== rank) before.unshift(element("span", { className: "rank", textContent: String(hit[2]) }));
      rank = hit ? hit[2] : 0;
      span.dataset.at = String(found.length);
      found.push({ span, before, start, end: at, rank: rank, solid: /\S/u.test(part) });
      part = "";
    };
    for (const sign of piece) {
      if (borders.has(at)) { close(); start = at; }
      part += sign;
      at += 1;
    }
    close();
  }
  return found;
}

function marksAt(at, entries) {
  const named = [["begun", "begun", "▷ system begins"], ["theirs", "other", "▷ assessor"], ["mine", "", "▷ best entry point"]];
  return named.filter(([key]) => entries[key] === at)
    .map(([, kind, textContent]) => element("span", { className: `entry ${kind}`, textContent }));
}

// --- the hand ---------------------------------------------------------------------------------------------------------

function released(pen, event) {
  if (!pen.down) return;
  pen.down = false;
  const chosen = window.getSelection();
  const ends = chosen.isCollapsed ? [] : [chosen.anchorNode, chosen.focusNode].map((node) => indexOf(pen, node));
  const clicked = indexOf(pen, event.target);
  if (ends.length && ends.every((one) => one >= 0) && pen.tool !== "entry") {
    chosen.removeAllRanges();
    use(pen, ends[0], ends[1]);
  } else if (clicked >= 0) {
    click(pen, clicked);
  }
}

// One click sets the entry point; two choose the first and the last word.
function click(pen, at) {
  pen.at = at;
  if (pen.tool === "entry") return use(pen, at, at);
  if (pen.from === undefined) {
    pen.from = at;
    return choose(pen, "Now the last word.");
  }
  use(pen, pen.from, at);
}

function press(pen, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: "up", ArrowDown: "down" };
  if (event.key in steps) {
    const step = steps[event.key];
    const to = typeof step === "number" ? pen.at + step : beside(pen, step === "up" ? -1 : 1);
    if (event.shiftKey) pen.from ??= pen.at;
    else pen.from = undefined;
    pen.at = Math.min(Math.max(to, 0), pen.places.length - 1);
    show(pen.box.querySelector(".text"), pen.places[pen.at]?.span);
    choose(pen);
  } else if (event.key === "Enter" || event.key === " ") {
    use(pen, pen.from ?? pen.at, pen.at);
  } else if (event.key === "Escape" && pen.from !== undefined) {
    pen.from = undefined;
    choose(pen);
  } else {
    return;
  }
  event.preventDefault();
  event.stopPropagation(); // arrows are keys of the app
}

// The word above or below one, in the line where it is nearest.
function beside(pen, step) {
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

// --- what is done -----------------------------------------------------------------------------------------------------

function use(pen, from, to) {
  const [first, last] = [from, to].sort((a, b) => a - b).map((at) => pen.places[at]);
  pen.from = undefined;
  if (!first || pen.edits.length >= pen.data.most) return choose(pen);
  const step = pen.tool === "entry" ? `entry:${first.start}` : `${pen.tool}:${first.start}:${last.end}`;
  Object.assign(pen, { edits: [...pen.edits, pen.data.line + step], when: performance.now() });
  pen.sent = pen.edits;
  pen.tell("edits", pen.edits);
  choose(pen);
}

// Show which words are chosen, and say it.
function choose(pen, more = "") {
  const text = pen.box.querySelector(".text");
  const on = document.activeElement === text || pen.from !== undefined;
  const [low, high] = [pen.from ?? pen.at, pen.at].sort((a, b) => a - b);
  pen.places.forEach((one, at) => one.span.classList.toggle("chosen", on && low <= at && at <= high));
  const chosen = on ? pen.places.slice(low, high + 1).map((one) => one.span.textContent) : [];
  const words = chosen.length > 6 ? [...chosen.slice(0, 3), "…", ...chosen.slice(-2)] : chosen;
  pen.box.querySelector(".said").textContent = words.length ? `${words.join(" ")}. ${more}`
    : "Drag over words, or click the first and the last; or arrows, Shift and Enter.";
}

function indexOf(pen, node) {
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

function element(name, properties, children = []) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}
