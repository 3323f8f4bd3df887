// Axes hold still while a slider moves, and after; where a mark would leave them, they give way by a step.
const STEP = 0.2;

function widen(box, changes) {
  for (const { keys: [part, index, kind], value } of changes) {
    const trace = part === "data" && box._fullData[index];
    if (!trace || !["x", "y"].includes(kind) || trace.mode === "lines" || !Array.isArray(value)) continue;
    const id = trace[`${kind}axis`];
    const { range, type, autorange } = (id && axis(box, id)) ?? {};
    if (type !== "linear" || trace.visible !== true) continue;
    const name = `${id[0]}axis${id.slice(1)}`;
    if (!autorange && String(range) !== box.kept?.[name]) continue; // a reader's choice, or the figure's own
    const [low, high] = [Math.min(...range), Math.max(...range)];
    const places = value.filter(Number.isFinite);
    const [least, most] = [Math.min(...places), Math.max(...places)];
    if (least >= low && most <= high) continue;
    const room = STEP * (Math.max(most, high) - Math.min(least, low));
    const wide = [least < low ? least - room : low, most > high ? most + room : high];
    box.held[name] = range[0] <= range[1] ? wide : wide.reverse();
    return true;
  }
  return false;
}

function hold(box) {
  box.held ??= {};
  for (const key of axes(box)) box.held[key] ??= null;
}

const axes = (box) => Object.keys(box._fullLayout).filter((key) => /^[xy]axis\d*$/.test(key) && box._fullLayout[key].type === "linear");
const axis = (box, id) => box._fullLayout[`${id[0]}axis${id.slice(1)}`];
