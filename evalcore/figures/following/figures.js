// What a figure is at another place of a slider, moved in place where it can be; where not, whoever asked has plotly
// draw it anew. Of the page around it nothing is known here.

import { hold, widen } from "./axes.js";
import { isMovable } from "./movable.js";
import { moveNote, moveShape } from "./notes.js";
import { axisNamed, boundTo, noteGroups, ticksOf, tickParts, titleOf, traceAt, traceGroups } from "./plotly_inside.js";
import { rewrite, shift, unescaped } from "./touched.js";
import { moveTrace, standsAlone } from "./traces.js";

// Whether all changes could be made where the figure stands: their keys, their value, and the track that it is of.
export function movedInPlace(box, changes) {
  hold(box);
  if (widen(box, changes)) return false;
  return changes.every(({ track }) => isMovable(track, (at) => traceAt(box, at), (trace) => standsAlone(box, trace)))
    && moveAll(box, changes);
}

// What is moved is first told all that changes of it, then moved once: each look at what was moved would lay out anew.
function moveAll(box, changes) {
  const scene = { box, traces: traceGroups(box), notes: noteGroups(box), last: new Map() };
  const moved = changes.every((one) => move(scene, one));
  if (moved) for (const place of scene.last.values()) place();
  return moved;
}

function move(scene, { keys: [part, index, ...rest], value }) {
  if (part === "layout") return moveInLayout(scene, index, rest, value);
  const [trace, group] = [traceAt(scene.box, index), scene.traces.get(index)];
  if (trace.visible !== true) return true;
  return Boolean(group) && moveTrace(scene, trace, group, rest, value);
}

function moveInLayout(scene, index, [kind, attribute], value) {
  if (index === "annotations") return moveNote(scene, kind, attribute, value);
  if (index === "shapes") return moveShape(scene, kind, attribute, value);
  const does = { tickvals: moveTicks, ticktext: nameTicks }[kind] ?? retitle;
  return does(scene.box, index, value);
}

// Ticks that stand at places of their own: label and grid line.
function moveTicks(box, name, value) {
  const axis = axisNamed(box, name);
  return everyTick(box, name, value, (tick, i) => {
    const by = axis.r2p(value[i]) - axis.r2p(boundTo(tick).x);
    shift(box, tick, name[0] === "x" ? by : 0, name[0] === "y" ? by : 0);
    return true;
  });
}

const nameTicks = (box, name, value) => everyTick(box, name, value, (tick, i) => !tick.querySelector("text") || rewrite(box, tick, value[i]));

function everyTick(box, name, value, change) {
  const ticks = ticksOf(axisNamed(box, name));
  if (!ticks || ticks.length !== value.length || value.some(Number.isNaN)) return false;
  return [...tickParts(box, name.replace("axis", ""))].every((tick) => {
    const i = ticks.findIndex(({ x }) => x === boundTo(tick).x);
    return i >= 0 && change(tick, i);
  });
}

function retitle(box, name, value) {
  const title = titleOf(box, name.replace("axis", ""));
  if (!title || /</.test(value)) return false;
  title.textContent = unescaped(value);
  return true;
}
