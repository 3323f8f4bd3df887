// A document to highlight in, by mouse, finger or keys; see passages.py.
//
// Mouse: drag over words, or click the first and the last one. Finger: touch the first word and the last one. Keys: the
// arrows move by word and line, with Shift they choose words, Enter uses the tool. Texts are foreign: shown as text only.
// Places are characters as Python counts them.

const TOOLS = [["mark", "Highlight"], ["erase", "Erase"], ["entry", "Best entry point"]];
const pen = { tool: "mark", at: 0 };

export default function ({ data, parentElement, setTriggerValue }) {
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
  const pieces = words(data);
  text.append(...pieces.flatMap((one) => [...one.before, one.span]));
  pen.places = pieces.filter((one) => one.solid);
  pen.at = Math.min(pen.at, Math.max(pen.places.length - 1, 0));
  text.onmousedown = ({ button }) => button || window.addEventListener("mouseup", released, { once: true });
  text.onkeydown = press;
  text.onfocus = text.onblur = () => choose();
  const legend = [["mine", "yours"], ["returned", "returned"], ...(data.compared ? [["theirs", "the assessor's"]] : [])];
  const compare = button("compare", { textContent: "Compare with the assessor", ariaPressed: String(data.compared),
    onclick: () => { hand.when = performance.now(); hand.tell("compared", { on: !data.compared }); } });
  const said = element("div", { className: "said" }, [
    compare,
    ...legend.map(([className, textContent]) => element("span", { className, textContent })),
    element("span", { className: "now", role: "status" }),
  ]);
  const bar = element("div", { className: "tools", role: "group", ariaLabel: "Tools" }, [...tools, undoing()]);
  renew(box, [bar, text, said], "text");
  if (scroll !== undefined) text.scrollTop = scroll;
  else show(text, pieces.find((one) => one.rank)?.span);
  choose();
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
    return choose("Now the last word.");
  }
  use(pen.from, at);
}

function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const onward = getComputedStyle(event.currentTarget).direction === "rtl" ? -1 : 1; // to the right
  const steps = { ArrowLeft: -onward, ArrowRight: onward, ArrowUp: "up", ArrowDown: "down" };
  if (event.key in steps) {
    const step = steps[event.key];
    const to = typeof step === "number" ? pen.at + step : beside(step === "up" ? -1 : 1);
    if (event.shiftKey) pen.from ??= pen.at;
    else pen.from = undefined;
    pen.at = Math.min(Math.max(to, 0), pen.places.length - 1);
    show(pen.box.querySelector(".text"), pen.places[pen.at]?.span);
    choose();
  } else if (event.key === "Enter" || event.key === " ") {
    use(pen.from ?? pen.at, pen.at);
  } else if (event.key === "Escape" && pen.from !== undefined) {
    pen.from = undefined;
    choose();
  } else {
    return;
  }
  event.preventDefault();
  event.stopPropagation(); // arrows are keys of the app
}

// The word above or below one, in the line where it is nearest.
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

// --- what is done -----------------------------------------------------------------------------------------------------

function use(from, to) {
  const [first, last] = [from, to].sort((a, b) => a - b).map((at) => pen.places[at]);
  pen.from = undefined;
  if (!first) return;
  done(pen.tool === "entry" ? `entry:${first.start}` : `${pen.tool}:${first.start}:${last.end}`);
  choose();
}

// Show which words are chosen, and say it.
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
