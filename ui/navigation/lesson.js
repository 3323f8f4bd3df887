// A list to walk down: consult the next result, follow a link, come back, stop; see lesson.py.
// Keys: arrow down consults the next result, arrow left goes back, a digit follows that link. Names come from files:
// never show them as HTML.

import { element } from "../widgets/elements.js";
import { button, catchUp, done, renew, undoing } from "../teaching/guided_path/by_hand.js";

export default function browse({ data, parentElement, setTriggerValue }) {
  catchUp(data, setTriggerValue);
  const box = parentElement.querySelector(".browsing");
  const over = data.ended || data.rank >= data.results.length;
  const step = (name, words, off) => button(name, { textContent: words, disabled: off, onclick: () => done(name) });
  const tools = element("div", { className: "tools" }, [
    step("next", over ? "No further result" : `Consult result ${data.rank + 1}`, over),
    step("back", "Back to the list", !data.here),
    step("stop", "Stop", data.ended),
    element("span", { className: "status", role: "status", textContent: data.status }),
    undoing(),
  ]);
  const list = element("div", { role: "group", ariaLabel: "Results", tabIndex: 0 }, [
    element("ol", {}, data.results.map((one, i) => result(one, i, data))),
    ...(data.more > 0 ? [element("p", { textContent: `and ${data.more} more` })] : []),
  ]);
  const page = element("div", { className: "page", role: "group", ariaLabel: "Current page", tabIndex: 0 }, [
    element("p", {}, where(data)),
    ...data.ways.map((one) => step(`follow:${one.id}`, `${one.id} (${one.chance})${one.seen ? ", seen" : ""}`, false)),
  ]);
  renew(box, [tools, element("div", { className: "both" }, [list, page])], "next", "Undo");
  box.onkeydown = (event) => press(event, box);
  const last = list.querySelectorAll("li")[data.rank - 1];
  if (last) list.scrollTop = last.offsetTop - list.offsetTop - list.clientHeight / 2;
}

function result(one, i, data) {
  const here = one.seen && i + 1 === data.rank && one.id === data.here;
  const name = one.id || "a page listed before";
  const item = element("li", { className: here ? "open" : "", textContent: one.seen ? name : `${name} (ahead)` });
  if (one.gain) item.append(element("span", { className: "gain", textContent: one.gain }));
  return item;
}

function where({ ended, here, worth, ways }) {
  if (ended) return ["You have stopped."];
  if (!here) return ["You are at the list."];
  const links = ways.length ? " Links from it, and how many users follow each:" : " It has no links.";
  const gain = worth ? [element("span", { className: "gain", textContent: worth }), "."] : [", nothing new."];
  return ["You read ", element("strong", { textContent: here }), ...gain, links];
}

function press(event, box) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const links = [...box.querySelectorAll('[data-part^="follow:"]')];
  const named = { ArrowDown: '[data-part="next"]', ArrowLeft: '[data-part="back"]' }[event.key];
  const meant = named ? box.querySelector(named) : links[Number(event.key) - 1];
  if (!meant) return;
  event.preventDefault();
  event.stopPropagation(); // digits and arrows are also keys of the app
  meant.focus();
  meant.click();
}
