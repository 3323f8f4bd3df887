// Where a slider and its figure do not fit one screen, the figure comes over the page once the slider is touched, into the
// half that the thumb is not in, and stays until something else is touched.

const NARROW = matchMedia("(max-width: 640px)");
const SEEN = 0.9; // the share of a figure that is enough
const HIGHEST = 0.62; // of the window
const LEGEND = 0.25; // of a figure's height; a higher one would leave its marks too little
const GAP = 8; // pixels between a figure and its slider
let docked; // the figure that is over the page, and its slider

function dock({ target, type, key }) {
  if (!(target instanceof Element) || docked?.box.contains(target)) return;
  if (type === "keydown" && !/^(Arrow|Page|Home|End)/.test(key)) return void (key === "Escape" && undock());
  const slider = NARROW.matches && target.closest('[data-testid="stMain"] [data-testid="stSlider"]');
  if (!slider || document.body.classList.contains("presenting")) return void (type === "keydown" || undock());
  const box = figureOf(slider);
  if (box !== docked?.box) undock();
  if (!box || (!docked && shareSeen(box) >= SEEN)) return;
  const { top, bottom } = slider.getBoundingClientRect();
  const room = Math.max(top, innerHeight - bottom) - GAP;
  docked ??= { box, height: box.offsetHeight, legend: box._fullLayout.legend?._height ?? 0 };
  box.parentElement.style.minHeight = `${docked.height}px`; // nothing moves under the thumb
  const height = Math.min(room, docked.height, HIGHEST * innerHeight);
  box.style.setProperty("--docked", `${height}px`);
  box.classList.add("docked");
  box.classList.toggle("bare", docked.legend > LEGEND * height);
  box.classList.toggle("below", top < innerHeight - bottom);
  dispatchEvent(new Event("stage"));
}

function undock() {
  if (!docked) return;
  const { box } = docked;
  docked = undefined;
  box.classList.remove("docked", "below", "bare");
  box.parentElement?.style.removeProperty("min-height");
  dispatchEvent(new Event("stage"));
}

// The first figure on the page that follows the slider; where none is known to, the next one after it.
function figureOf(slider) {
  const drawn = [...document.querySelectorAll('[data-testid="stMain"] .plot')].filter((box) => box.clientWidth && box._fullLayout);
  const names = sliders.get(controlOf(slider))?.figures ?? [];
  const followed = drawn.find((box) => names.some((key) => box.closest(`.${name(key)}`)));
  return followed ?? drawn.find((box) => slider.compareDocumentPosition(box) & Node.DOCUMENT_POSITION_FOLLOWING);
}

function shareSeen(box) {
  const { top, bottom, height } = box.getBoundingClientRect();
  return (Math.min(bottom, innerHeight) - Math.max(top, 0)) / height;
}

for (const begun of ["pointerdown", "keydown"]) addEventListener(begun, dock, { capture: true, passive: true });
NARROW.addEventListener("change", undock);
