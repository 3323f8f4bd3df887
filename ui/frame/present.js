// Presentation: one figure fills the screen, keys lead to the next; see present.py. plot.js draws the figure that is on
// stage as large as its box, with larger type.

const BODY = document.body;
let stage; // the figure on stage, known by itself: others may come before it at any moment
let place = 0; // where it was among all, for when it has left the page
let moved = false; // whether a key has chosen it: until then it is the first one
let order = []; // the keys of the figures as the page made them: what it is about comes first, wherever it stands
let leave = () => {}; // tells the app that presenting is over

function figures() {
  const rank = (box) => {
    const at = order.findIndex((name) => box.closest(`.${CSS.escape(name)}`));
    return at < 0 ? order.length : at;
  };
  return [...document.querySelectorAll(".plot")].toSorted((a, b) => rank(a) - rank(b));
}

export default function ({ data, setTriggerValue }) {
  leave = () => setTriggerValue("left", true);
  order = data.figures.map((key) => `st-key-${key.replace(/[^a-zA-Z0-9_-]/g, "-")}`);
  const wanted = Boolean(data.on);
  if (wanted !== BODY.classList.contains("presenting")) (wanted ? begin : end)();
  if (wanted) show();
}

function begin() {
  BODY.classList.add("presenting");
  moved = false;
  arrivals.observe(BODY, { childList: true, subtree: true });
  addEventListener("keydown", press, true);
  addEventListener("resize", redraw);
}

function end() {
  BODY.classList.remove("presenting", "with-controls");
  arrivals.disconnect();
  removeEventListener("keydown", press, true);
  removeEventListener("resize", redraw);
  document.querySelector(".stage-title")?.remove();
  figures().forEach((box) => box.classList.remove("on-stage"));
  redraw();
}

// Figures of a page that opens presented come one by one.
let count = 0;
const arrivals = new MutationObserver(() => {
  const now = document.querySelectorAll(".plot").length;
  if (now !== count) show();
  count = now;
});

function show() {
  const all = figures();
  if (!moved) stage = all[0];
  else if (!all.includes(stage)) stage = all[Math.min(place, all.length - 1)];
  place = Math.max(all.indexOf(stage), 0);
  all.forEach((box) => box.classList.toggle("on-stage", box === stage));
  let bar = document.querySelector(".stage-title");
  if (!bar) {
    bar = Object.assign(document.createElement("div"), { className: "stage-title" });
    bar.append(document.createElement("strong"), document.createElement("span"));
    BODY.append(bar);
  }
  const { backgroundColor, color, fontFamily } = getComputedStyle(document.querySelector(".stApp") ?? BODY);
  Object.assign(bar.style, { backgroundColor, color, fontFamily });
  bar.firstChild.textContent = document.querySelector("h1")?.textContent ?? "";
  bar.lastChild.textContent = `${place + 1} of ${all.length} · ← → figures · C controls · Esc leave`;
  redraw();
}

// Each figure draws itself anew when its box changes; a change of type size alone it has to be told.
const redraw = () => dispatchEvent(new Event("stage"));

function press(event) {
  if (event.target.closest?.(".save-menu")) return; // a menu over the figure has keys of its own
  const typing = event.target.closest?.("input, textarea, select, [role=slider], [role=combobox]");
  const steps = { ArrowRight: 1, PageDown: 1, " ": 1, ArrowLeft: -1, PageUp: -1 };
  if (event.key === "Escape") {
    end();
    leave();
  } else if (typing) {
    return;
  } else if (event.key in steps) {
    const all = figures();
    const now = all.includes(stage) ? all.indexOf(stage) : place;
    moved = true;
    stage = all[(now + steps[event.key] + all.length) % Math.max(all.length, 1)];
    show();
  } else if (event.key.toLowerCase() === "c") {
    BODY.classList.toggle("with-controls");
    redraw();
  } else {
    return;
  }
  event.preventDefault();
  event.stopPropagation();
}
