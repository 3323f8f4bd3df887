// Presentation: one figure fills the screen, keys lead to the next; see present.py. plot.js draws the figure that is on
// stage as large as its box, with larger type.

const BODY = document.body;
let stage; // the figure on stage, known by itself: others may come before it at any moment
let place = 0; // where it was among all, for when it has left the page
let leave = () => {}; // tells the app that presenting is over

const figures = () => [...document.querySelectorAll(".plot")].filter((box) => box.isConnected);

export default function ({ data, setTriggerValue }) {
  leave = () => setTriggerValue("left", true);
  const wanted = Boolean(data.on);
  if (wanted !== BODY.classList.contains("presenting")) (wanted ? begin : end)();
  if (wanted) show();
}

function begin() {
  BODY.classList.add("presenting");
  stage = largest();
  addEventListener("keydown", press, true);
  addEventListener("resize", redraw);
}

// What a page is about is its largest figure.
function largest() {
  const area = (box) => box.clientWidth * box.clientHeight;
  return figures().sort((a, b) => area(b) - area(a))[0];
}

function end() {
  BODY.classList.remove("presenting", "with-controls");
  removeEventListener("keydown", press, true);
  removeEventListener("resize", redraw);
  document.querySelector(".stage-title")?.remove();
  figures().forEach((box) => box.classList.remove("on-stage"));
  redraw();
}

function show() {
  const all = figures();
  if (!all.includes(stage)) stage = all[Math.min(place, all.length - 1)];
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
