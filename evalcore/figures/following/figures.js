// What a figure is at another place of a slider, moved in place where it can be; where not, whoever asked has plotly
// draw it anew. Of the page around it nothing is known here.

// What is moved is first told all that changes of it, then moved once: each look at what was moved would lay out anew.
function moveAll(box, changes) {
  box.scene = {
    traces: new Map([...box.querySelectorAll(".scatterlayer > .trace, .barlayer > .trace")].map((one) => [one.__data__?.[0]?.trace.index, one])),
    notes: new Map([...box.querySelectorAll(".infolayer .annotation")].map((one) => [Number(one.dataset.index), one])),
    last: new Map(),
  };
  const moved = changes.every((one) => move(box, one));
  if (moved) for (const place of box.scene.last.values()) place();
  delete box.scene;
  return moved;
}

const isList = (box, keys) => {
  const before = keys.reduce((part, key) => part?.[key], { data: box.data, layout: box.layout });
  return before !== null && typeof before === "object"; // an array, or what plotly reads as one
};

const NOTES = new Set(["x", "y", "ax", "ay", "xshift", "yshift", "xanchor", "yanchor", "text", "showarrow", "opacity"]);

const MARKS = new Set(["color", "opacity", "size", "symbol"]); // sizes and shapes stay until the server answers

// What of a figure can be moved in place: places, colours and names of marks, lines and notes; titles and ticks of axes.
function moves(box, { keys, values }) {
  const [part, index, kind, ...rest] = keys;
  if (part === "data") {
    const trace = box._fullData[index];
    if (trace?.type === "bar") return !values && kind === "y" && rest.length === 0 && standsAlone(box, trace);
    if (trace?.type === "scatterternary") return !values && "abc".includes(kind) && rest.length === 0;
    if (trace?.type !== "scatter" || (trace.fill ?? "none") !== "none" || trace.error_x?.visible || trace.error_y?.visible) return false;
    if (!["linear", "hv", "vh", undefined].includes(trace.line?.shape)) return false;
    if (!values && rest.length === 0 && (kind === "x" || kind === "y")) return true;
    if (kind === "text" && values) return rest.length === 0;
    if (!values && rest[0] === "color") return false; // numbers on a scale of colours
    return (kind === "marker" && MARKS.has(rest[0])) || (kind === "line" && rest[0] === "color");
  }
  if (part !== "layout") return false;
  if (/^[xy]axis\d*$/.test(index)) return (kind === "title" && rest[0] === "text") || kind === (values ? "ticktext" : "tickvals");
  if (index === "annotations") return typeof kind === "number" && NOTES.has(rest[0]);
  return index === "shapes" && typeof kind === "number" && ["x0", "x1", "y0", "y1"].includes(rest[0]);
}

const touched = new WeakMap(); // the elements of a figure that were moved by a style, which outlives drawing

function forget(box) {
  for (const one of touched.get(box) ?? []) {
    one.style.translate = "";
    one.asBefore?.();
  }
  touched.delete(box);
}

function shift(box, element, x, y) {
  element.style.translate = `${x}px ${y}px`;
  if (!touched.has(box)) touched.set(box, new Set());
  touched.get(box).add(element);
}

function move(box, { keys, value }) {
  const [part, index, kind, attribute] = keys;
  if (part === "layout") {
    if (index === "annotations") return moveNote(box, kind, attribute, value);
    if (kind === "tickvals") return moveTicks(box, index, value);
    if (kind === "ticktext") return nameTicks(box, index, value);
    return index === "shapes" ? moveShape(box, kind, attribute, value) : retitle(box, index, value);
  }
  const trace = box._fullData[index];
  if (trace.visible !== true) return true;
  const group = box.scene.traces.get(index);
  if (!group) return false;
  if (trace.type === "bar") return stretch(box, trace, group, value);
  if (kind === "marker") return ["color", "opacity"].includes(attribute) ? recolour(group, attribute, value) : true;
  if (kind === "line") {
    for (const line of group.querySelectorAll(".lines > path.js-line")) line.style.stroke = value;
    return true;
  }
  if (kind === "text") return renameMarks(box, group, value);
  if (trace.type === "scatterternary") return moveInTriangle(box, trace, group, kind, value);
  const calc = box.calcdata[index];
  if (group.live?.calc !== calc) group.live = { calc, x: calc.map((point) => point.x), y: calc.map((point) => point.y) };
  group.live[kind] = value;
  if (trace.mode !== "lines" && group.live.x.length !== calc.length) return false;
  box.scene.last.set(group, () => drawTrace(box, trace, group));
  return true;
}

// Marks of a triangle, told by their three parts; each part comes by itself.
function moveInTriangle(box, trace, group, part, value) {
  const calc = box.calcdata[trace.index];
  if (group.live?.calc !== calc) group.live = { calc, a: trace.a, b: trace.b, c: trace.c };
  group.live[part] = value;
  const now = group.live;
  const { xaxis, yaxis } = box._fullLayout.ternary._subplot;
  for (const mark of group.querySelectorAll(".points > path.point")) {
    const [a, b, c] = ["a", "b", "c"].map((one) => now[one][mark.__data__.i]);
    const sum = a + b + c;
    mark.setAttribute("transform", `translate(${xaxis.c2p((c - b) / sum)},${yaxis.c2p(a / sum)})`);
  }
  return true;
}

function drawTrace(box, trace, group) {
  const [xa, ya] = [axis(box, trace.xaxis), axis(box, trace.yaxis)];
  const { x: across, y: up } = group.live; // where the points are now
  const places = Array.from(across, (x, i) => [xa.c2p(x), ya.c2p(up[i])]);
  const finite = ([x, y]) => Number.isFinite(x) && Number.isFinite(y);
  for (const mark of group.querySelectorAll(".points > path.point")) {
    const to = places[mark.__data__.i];
    if (finite(to)) mark.setAttribute("transform", `translate(${to[0]},${to[1]})`);
  }
  for (const text of group.querySelectorAll(".text > g.textpoint")) {
    const { i, x, y } = text.__data__;
    if (finite(places[i])) shift(box, text, places[i][0] - xa.c2p(x), places[i][1] - ya.c2p(y));
  }
  const [line, ...others] = group.querySelectorAll(".lines > path.js-line");
  if (!line) return;
  line.setAttribute("d", outline(places, finite, trace.line?.shape));
  for (const other of others) other.setAttribute("d", "");
}

// Whether the bars of a trace stand on the axis and on no others.
const standsAlone = (box, { index, orientation, yaxis }) =>
  (orientation ?? "v") === "v" &&
  (box._fullLayout.barmode !== "stack" || !box._fullData.some((one) => one.type === "bar" && one.yaxis === yaxis && one.index !== index));

function stretch(box, trace, group, heights) {
  const [xa, ya] = [axis(box, trace.xaxis), axis(box, trace.yaxis)];
  const bars = [...group.querySelectorAll(".points > .point")];
  if (bars.length !== heights.length) return false;
  for (const bar of bars) {
    const { i, p0, p1, b } = bar.__data__;
    const path = bar.querySelector("path");
    const drawn = path.getAttribute("d").match(/^M([-\d.]+),[-\d.]+V[-\d.]+H([-\d.]+)/);
    const [left, right] = drawn?.slice(1) ?? [xa.c2p(p0), xa.c2p(p1)];
    const [foot, top] = [ya.c2p(b), ya.c2p(b + heights[i])];
    path.setAttribute("d", Number.isFinite(top) && top !== foot ? `M${left},${foot}V${top}H${right}V${foot}Z` : "M0,0Z");
  }
  return true;
}

function outline(places, finite, shape) {
  let [drawn, before] = ["", undefined];
  for (const to of places) {
    if (!finite(to)) { before = undefined; continue; }
    if (!before) drawn += `M${to[0]},${to[1]}`;
    else drawn += shape === "hv" ? `H${to[0]}V${to[1]}` : shape === "vh" ? `V${to[1]}H${to[0]}` : `L${to[0]},${to[1]}`;
    before = to;
  }
  return drawn;
}

function recolour(group, attribute, value) {
  const style = attribute === "color" ? "fill" : "opacity";
  for (const mark of group.querySelectorAll(".points > path.point")) {
    if (attribute === "color") mark.style.fillOpacity = 1; // the colour has its own
    mark.style[style] = typeof value === "string" || value.length === 1 ? [value].flat()[0] : value[mark.__data__.i];
  }
  return true;
}

// The words beside marks; a mark without words from the start has no place for them.
function renameMarks(box, group, value) {
  if (!Array.isArray(value)) return false;
  const elements = new Map([...group.querySelectorAll(".text > g.textpoint")].map((one) => [one.__data__.i, one]));
  return value.every((text, i) => (elements.has(i) ? rewrite(box, elements.get(i), text) : !text));
}

// Ticks that stand at places of their own: label and grid line.
function moveTicks(box, key, value) {
  const own = box._fullLayout[key];
  return everyTick(box, key, value, (tick, i) => {
    const by = own.r2p(value[i]) - own.r2p(tick.__data__.x);
    shift(box, tick, key[0] === "x" ? by : 0, key[0] === "y" ? by : 0);
    return true;
  });
}

const nameTicks = (box, key, value) => everyTick(box, key, value, (tick, i) => !tick.querySelector("text") || rewrite(box, tick, value[i]));

function everyTick(box, key, value, change) {
  const ticks = box._fullLayout[key]._vals;
  if (!ticks || ticks.length !== value.length || value.some(Number.isNaN)) return false;
  const id = key.replace("axis", "");
  return [...box.querySelectorAll(`g.${id}tick, path.${id}grid`)].every((tick) => {
    const i = ticks.findIndex(({ x }) => x === tick.__data__.x);
    return i >= 0 && change(tick, i);
  });
}

// Other words in the same lines.
function rewrite(box, element, said) {
  const text = element.querySelector("text");
  if (!text) return false;
  const [lines, parts] = [[...text.querySelectorAll("tspan.line")], said.split("<br>")];
  const places = lines.length ? lines : [text];
  if (places.length !== parts.length || /</.test(parts.join(""))) return false;
  if (!element.asBefore) {
    const before = places.map((one) => one.textContent);
    element.asBefore = () => {
      places.forEach((one, i) => { one.textContent = before[i]; });
      delete element.asBefore;
    };
  }
  places.forEach((one, i) => { one.textContent = unescaped(parts[i]); });
  if (!touched.has(box)) touched.set(box, new Set());
  touched.get(box).add(element);
  return true;
}

function retitle(box, axis, value) {
  const title = box.querySelector(`.infolayer .g-${axis.replace("axis", "")}title text`);
  if (!title || /</.test(value)) return false;
  title.textContent = unescaped(value);
  return true;
}

const unescaped = (text) => text.replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&");

function moveNote(box, at, attribute, value) {
  const [note, group] = [box._fullLayout.annotations[at], box.scene.notes.get(at)];
  if (!note || !group?.querySelector(".annotation-text")) return false; // out of sight it has no text
  if (attribute === "showarrow") {
    group.querySelector(".annotation-arrow-g")?.setAttribute("visibility", value ? "visible" : "hidden");
    return true;
  }
  if (attribute === "opacity") {
    group.style.opacity = value[0];
    return true;
  }
  if (attribute === "text") {
    const text = group.querySelector(".annotation-text");
    if (/<(?!\/?b>)/.test(value)) return false;
    group.drawn ??= wide(group, text);
    text.textContent = unescaped(value.replace(/<\/?b>/g, ""));
  } else {
    group.live = { ...group.live, [attribute]: typeof value === "string" ? value : value[0] };
  }
  box.scene.last.set(group, () => placeNote(box, note, group));
  return true;
}

// How wide the words of a note are; asked of the browser once for each.
function wide(group, text) {
  group.widths ??= new Map();
  const said = text.textContent;
  if (!group.widths.has(said)) group.widths.set(said, text.getBBox().width);
  return group.widths.get(said);
}

// Where a note is now: its place, how far beside it, and which of its ends is there.
const ENDS = { left: 0, top: 0, right: 1, bottom: 1 };

function placeNote(box, note, group) {
  const now = { ...note, ...group.live };
  const [frame, text] = [group.querySelector(".bg"), group.querySelector(".annotation-text")];
  const end = (anchor) => ENDS[anchor] ?? 0.5;
  const delta = (letter) => pixels(box, note[`${letter}ref`], now[letter]) - pixels(box, note[`${letter}ref`], note[letter]);
  const [width, high] = [Number(frame.getAttribute("width")), Number(frame.getAttribute("height"))];
  const grown = wide(group, text) - (group.drawn ??= wide(group, text));
  const across = (0.5 - end(now.xanchor)) * (width + grown) - (0.5 - end(note.xanchor)) * width;
  const down = (end(note.yanchor) - end(now.yanchor)) * high;
  shift(box, group, delta("x") + now.xshift - note.xshift + across, delta("y") + note.yshift - now.yshift + down);
  if (now.ax !== note.ax || now.ay !== note.ay) pointNote(box, note, now, group, [width + grown, high]);
}

// A note stands elsewhere beside what it points at: its line goes from its border to there.
function pointNote(box, note, now, group, [wide, high]) {
  const [by, line] = [[now.ax - note.ax, now.ay - note.ay], group.querySelector(".annotation-arrow-g path")];
  shift(box, group.querySelector(".annotation-text-g"), ...by);
  if (!line) return;
  const size = box._fullLayout._size;
  const head = [size.l + pixels(box, note.xref, note.x), size.t + pixels(box, note.yref, note.y)];
  const far = Math.hypot(now.ax, now.ay) || 1;
  const share = Math.max(1 - Math.min(wide / 2 / (Math.abs(now.ax) || 1e-9), high / 2 / (Math.abs(now.ay) || 1e-9)), 0);
  const at = (part) => `${head[0] + part * now.ax},${head[1] + part * now.ay}`;
  line.setAttribute("d", `M${at(share)}L${at(Math.min((note.standoff ?? 0) / far, share))}`);
  line.style.strokeDasharray = "none";
}

// A line or a rectangle: each of its ends by as much as it is elsewhere, from where plotly drew it.
const SHAPE = /^M([-\d.]+),([-\d.]+)(?:L|H)([-\d.]+)[,V]([-\d.]+)/;

function moveShape(box, at, attribute, value) {
  const [shape, path] = [box._fullLayout.shapes[at], box.querySelector(`.shapelayer path[data-index="${at}"]`)];
  if (!shape || !path) return false;
  path.live ??= { drawn: path.getAttribute("d").match(SHAPE)?.slice(1).map(Number), by: {} };
  const { drawn, by } = path.live;
  if (!drawn || !["line", "rect"].includes(shape.type)) return false;
  const ref = shape[`${attribute[0]}ref`];
  by[attribute] = pixels(box, ref, value[0], "shape") - pixels(box, ref, shape[attribute], "shape");
  const [x0, y0, x1, y1] = ["x0", "y0", "x1", "y1"].map((end, i) => drawn[i] + (by[end] ?? 0));
  path.setAttribute("d", shape.type === "line" ? `M${x0},${y0}L${x1},${y1}` : `M${x0},${y0}H${x1}V${y1}H${x0}Z`);
  return true;
}

// Across a figure; on a logarithmic axis notes are told by the logarithm, shapes by the number itself.
function pixels(box, ref, value, kind) {
  if (ref === "paper") return value * box._fullLayout._size.w;
  const along = axis(box, ref);
  return kind === "shape" && along.type === "log" ? along.d2p(value) : along.r2p(value);
}
