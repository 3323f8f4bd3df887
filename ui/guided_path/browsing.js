// A list to walk down: consult the next result, follow a link, come back, stop; see browsing.py.
// Names are foreign: they are shown as text only. All steps are sent with each, so that of two quick ones none is lost.

const PATIENCE = 3000; // ms after which an answer that lacks what was sent is taken as it is

export default function ({ data, parentElement, setTriggerValue }) {
  const box = parentElement.querySelector(".browsing");
  const walk = (box.walk ??= { sent: [], when: -Infinity });
  const late = performance.now() - walk.when < PATIENCE && data.edits.length < walk.sent.length
    && data.edits.every((text, i) => text === walk.sent[i]);
  walk.edits = late ? walk.sent : [...data.edits];
  const go = (step) => {
    if (walk.edits.length >= data.most) return;
    walk.edits = [...walk.edits, data.line + step];
    Object.assign(walk, { sent: walk.edits, when: performance.now() });
    setTriggerValue("edits", walk.edits);
  };
  draw(box, data, go);
}

function draw(box, data, go) {
  const focused = box.contains(document.activeElement) ? document.activeElement.dataset.part : undefined;
  const over = data.ended || data.rank >= data.results.length;
  const status = element("div", { className: "status", role: "status", textContent: data.status });
  const list = element("div", { role: "group", ariaLabel: "Results" }, [
    element("ol", {}, data.results.map((one, i) => result(one, i, data))),
    ...(data.more > 0 ? [element("p", { className: "ahead", textContent: `and ${data.more} more` })] : []),
  ]);
  const page = element("div", { role: "group", ariaLabel: "Where you are" }, [
    element("p", {}, where(data)),
    button("next", over ? "No further result" : `Consult result ${data.rank + 1}`, over, go),
    button("back", "Come back", !data.here, go),
    button("stop", "Stop", data.ended, go),
    ...(data.ways.length ? [element("p", { textContent: "Links from here, and how many users follow each:" })] : []),
    ...data.ways.map((one) => button(`follow:${one.id}`, `${one.id} (${one.chance})${one.seen ? ", seen" : ""}`, false, go)),
  ]);
  list.tabIndex = 0;
  box.replaceChildren(list, page, status);
  box.onkeydown = (event) => press(event, page);
  list.querySelector(".open, li.last")?.scrollIntoView({ block: "nearest" });
  if (!focused) return;
  const again = box.querySelector(`[data-part="${CSS.escape(focused)}"]:not(:disabled)`) ?? page.querySelector("button:not(:disabled)");
  again?.focus({ preventScroll: true });
}

function result(one, i, data) {
  const name = one.id || "a page listed before";
  const at = i + 1 === data.rank;
  const item = element("li", { className: `${one.seen ? "seen" : "ahead"}${at ? " last" : ""}${one.seen && one.id === data.here ? " open" : ""}` },
    [one.seen ? name : `${name}, not consulted yet`]);
  if (one.gain) item.append(element("span", { className: "gain", textContent: one.gain }));
  return item;
}

function where(data) {
  if (data.ended) return ["You have stopped."];
  if (!data.here) return ["You are at the list."];
  const open = element("strong", { textContent: data.here });
  return ["You read ", open, ...(data.worth ? [element("span", { className: "gain", textContent: data.worth })] : [", worth nothing new"])];
}

// Arrow down consults the next result, arrow left comes back, a digit follows that link.
function press(event, page) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const links = [...page.querySelectorAll('[data-part^="follow:"]')];
  const named = { ArrowDown: '[data-part="next"]', ArrowLeft: '[data-part="back"]' }[event.key];
  const meant = named ? page.querySelector(named) : links[Number(event.key) - 1];
  if (!meant) return;
  event.preventDefault();
  event.stopPropagation(); // digits and arrows are keys of the app
  meant.focus();
  meant.click();
}

function button(step, words, off, go) {
  const made = element("button", { type: "button", textContent: words, disabled: off, onclick: () => go(step) });
  made.dataset.part = step;
  return made;
}

function element(name, properties, children = []) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}
