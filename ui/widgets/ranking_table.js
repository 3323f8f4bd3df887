// An editable ranking: rows are dragged, or moved with Alt and an arrow; labels are chosen; see ranking_table.py. Names come
// from files: never show them as HTML.

import { element } from "./elements.js";
import { edited, wasAt } from "./ranking_edits.js";
import { unanswered } from "./unanswered.js";

const [EDGE, SPEED] = [48, 8]; // pixels from an edge within which a drag scrolls, and pixels per frame

export default function show({ data, parentElement, setTriggerValue }) {
  const box = parentElement.querySelector(".ranking");
  const table = (box.table ??= { box, at: 0, sent: [], when: -Infinity });
  const answered = data.edits;
  if (JSON.stringify(answered) === JSON.stringify(table.sent)) table.sent = []; // later answers belong to others
  const left = unanswered(answered, table.sent, performance.now() - table.when);
  Object.assign(table, { data, edits: [...answered], rows: data.rows, tell: setTriggerValue });
  for (const text of left) apply(table, text);
  draw(table);
}

// Make an edit, in the visible rows and on the server.
function make(table, text) {
  if (table.edits.length >= table.data.most) return;
  apply(table, text);
  draw(table);
  Object.assign(table, { sent: table.edits, when: performance.now() });
  table.tell("edits", table.edits);
}

function apply(table, text) {
  table.edits = [...table.edits, text];
  table.rows = edited(table.rows, table.data.line, text);
}

function draw(table) {
  const { box, data, rows } = table;
  const drawn = JSON.stringify([data, rows, table.edits]);
  if (table.drawn === drawn) return; // a row may be being dragged
  table.drawn = drawn;
  const focused = box.contains(document.activeElement) ? document.activeElement.dataset.part : undefined;
  table.at = Math.min(table.at, Math.max(rows.length - 1, 0));
  const head = element("tr", {}, ["rank", data.what ?? "document", ...data.numbers, ...data.aspects.map((one) => one.name), data.fixed ? "move" : "edit"]
    .map((name) => element("th", { scope: "col", textContent: name })));
  const body = element("tbody", {}, rows.map((row, i) => line(table, row, i)));
  const others = element("select", { ariaLabel: "Insert at rank 1", disabled: !data.others.length,
    onchange: (event) => make(table, `insert:${data.line}${event.target.value}:1`) },
  [["", data.others.length ? "Insert at rank 1 …" : "No other document is assessed"], ...data.others]
    .map(([value, textContent]) => element("option", { value, textContent })));
  others.className = "others";
  box.classList.toggle("many", data.aspects.length > 2);
  box.replaceChildren(...(data.fixed ? [] : [others]), element("table", {}, [element("caption", { textContent: data.help }), element("thead", {}, [head]), body]));
  if (!focused) return;
  const part = box.querySelector(`[data-part="${CSS.escape(focused)}"]`) ?? body.rows[table.at];
  part?.focus({ preventScroll: true });
  part?.scrollIntoView({ block: "nearest" });
}

function line(table, row, i) {
  const { data, rows } = table;
  const move = (to) => {
    if (to < 0 || to >= rows.length || to === i) return;
    table.at = to;
    make(table, `move:${data.line}${i + 1}:${to + 1}`);
  };
  const was = data.fixed ? "" : wasAt(row.was, i + 1);
  const name = row.document || "not assessed";
  const button = (words, icon, does, off) => element("button", {
    type: "button", ariaLabel: `${words} ${name}`, title: words, textContent: icon, disabled: off, onclick: does, tabIndex: -1 });
  const cells = [
    element("td", { className: "rank" }, [grip(table, i, move), String(i + 1), element("small", { textContent: was })]),
    element("td", { className: "document", textContent: name, title: row.text || name }),
    ...row.numbers.map((text) => element("td", { className: "number", textContent: text })),
    ...data.aspects.map((aspect, j) => element("td", {}, [label(table, row, aspect, row.labels[j])])),
    element("td", { className: "moves" }, [
      button("Up:", "↑", () => move(i - 1), i === 0),
      button("Down:", "↓", () => move(i + 1), i === rows.length - 1),
      ...(data.fixed ? [] : [button("Remove:", "×", () => make(table, `remove:${data.line}${i + 1}`), false)]),
    ]),
  ];
  const tr = element("tr", { tabIndex: i === table.at ? 0 : -1, draggable: true,
    className: was ? "moved" : "", ariaLabel: `Rank ${i + 1}, ${name}${was ? `, ${was}` : ""}` }, cells);
  tr.dataset.part = `row ${row.id}`;
  tr.onfocus = () => {
    for (const one of table.box.querySelectorAll("tbody tr")) one.tabIndex = one === tr ? 0 : -1;
    table.at = i;
  };
  tr.onkeydown = (event) => press(table, event, tr, i, move);
  tr.ondragstart = (event) => {
    event.dataTransfer.setData("text/plain", name);
    event.dataTransfer.effectAllowed = "move";
    table.dragged = i;
  };
  tr.ondragend = () => { table.dragged = undefined; };
  tr.ondragover = (event) => {
    if (table.dragged === undefined) return;
    event.preventDefault();
    tr.classList.add(i < table.dragged ? "above" : "below");
  };
  tr.ondragleave = () => tr.classList.remove("above", "below");
  tr.ondrop = (event) => {
    event.preventDefault();
    const from = table.dragged;
    table.dragged = undefined;
    tr.classList.remove("above", "below");
    if (from === undefined || from === i) return;
    table.at = i;
    make(table, `move:${data.line}${from + 1}:${i + 1}`);
  };
  return tr;
}

// The handle by which a finger drags a row; elsewhere it scrolls. Near an edge the table scrolls, and at its end the page.
function grip(table, i, move) {
  const held = element("span", { className: "grip", textContent: "⠿", ariaHidden: "true", title: "Drag" });
  let y; // position of the finger while it is down
  const rows = () => [...table.box.querySelectorAll("tbody tr")];
  const under = () => {
    const at = rows().findIndex((row) => y < row.getBoundingClientRect().bottom);
    return at < 0 ? table.rows.length - 1 : at;
  };
  const mark = (to) => rows().forEach((row, at) => {
    row.classList.toggle("above", at === to && to < i);
    row.classList.toggle("below", at === to && to > i);
  });
  const follow = () => {
    if (y === undefined || !held.isConnected) return;
    scroll(table.box, y);
    mark(under());
    requestAnimationFrame(follow);
  };
  held.onpointerdown = (event) => {
    if (!event.isPrimary) return;
    event.preventDefault(); // no native drag, no menu
    held.setPointerCapture(event.pointerId);
    y = event.clientY;
    requestAnimationFrame(follow);
  };
  held.onpointermove = (event) => { if (y !== undefined) y = event.clientY; };
  held.onpointerup = () => {
    const to = y === undefined ? i : under();
    held.onlostpointercapture();
    move(to);
  };
  held.onlostpointercapture = () => {
    y = undefined;
    mark(i);
  };
  return held;
}

function scroll(box, y) {
  const { top, bottom } = box.getBoundingClientRect();
  const by = y < Math.max(top, 0) + EDGE ? -SPEED : y > Math.min(bottom, innerHeight) - EDGE ? SPEED : 0;
  const before = box.scrollTop;
  box.scrollTop += by;
  if (box.scrollTop === before) box.closest('[data-testid="stMain"], [data-testid="stSidebarContent"]')?.scrollBy(0, by);
}

function press(table, event, tr, i, move) {
  if (event.target !== tr || event.ctrlKey || event.metaKey) return; // labels have their own keys
  const last = table.rows.length - 1;
  const to = { ArrowUp: i - 1, ArrowDown: i + 1, Home: 0, End: last }[event.key];
  if (to !== undefined) {
    if (event.altKey) move(to);
    else tr.parentElement.rows[Math.min(Math.max(to, 0), last)].focus();
  } else if (event.key === "Delete" && !table.data.fixed) {
    make(table, `remove:${table.data.line}${i + 1}`);
  } else {
    return;
  }
  event.preventDefault();
  event.stopPropagation(); // single letters and arrows are also keys of the app
}

// The label of an aspect: a choice of grades; a number if there are too many grades; a dot if it is unassessed.
function label(table, row, aspect, given) {
  if (!row.document) return element("span", { textContent: "·", title: "Unassessed: rankings keep no names of unassessed documents" });
  const send = (value) => make(table, `${row.regrade}${aspect.part}:${value}`);
  const common = { ariaLabel: `${aspect.name} of ${row.document}`, className: given.was === null ? "" : "edited",
    title: given.was === null ? aspect.name : `was ${given.was}` };
  const control = aspect.grades.length
    ? element("select", { ...common, onchange: (event) => send(event.target.value) },
      aspect.grades.map(([value, name]) => element("option", { value, textContent: name, selected: value === given.value })))
    : element("input", { ...common, type: "number", step: "any", value: given.value === "-" ? "" : given.value,
      onchange: (event) => send(event.target.value === "" ? "-" : event.target.value) });
  control.dataset.part = `${aspect.part} ${row.id}`;
  return control;
}
