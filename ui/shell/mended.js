// Repairs of Streamlit's markup for accessibility (WCAG 2.1.1 and 4.1.2); see mended.py. Code and formulas wider than their
// box scroll only by mouse; the drop zone for files has a name but no role; menus are outside the app's element and do not
// know that it is dark, so that light-dark() yields the light colour. Also, headlines are shortened, and the first Tab after
// opening leads to the page, not through its surroundings.

import { element } from "../widgets/elements.js";

const SCROLLED = ".stCode pre, .katex-display";
const MENUS = '[data-testid="stPopoverBody"]'; // a long one without controls also scrolls only by mouse
const FILES = 'section[data-testid="stFileUploaderDropzone"][role="presentation"]';
const HEADLINES = '[class*="st-key-sentence-headline"]';
let awaited = false;
let begun = false;

// Nothing is repaired while a slider moves; the end of a move is a change as well.
const observer = new MutationObserver(() => {
  if (document.body.classList.contains("slider-moves")) return;
  if (!awaited) requestAnimationFrame(mend);
  awaited = true;
});

function mend() {
  awaited = false;
  begin();
  const app = document.querySelector(".stApp");
  if (app) document.documentElement.style.colorScheme = getComputedStyle(app).colorScheme;
  for (const one of document.querySelectorAll(FILES)) one.role = "group";
  for (const one of document.querySelectorAll(HEADLINES)) fold(one);
  for (const one of document.querySelectorAll(MENUS)) if (one.scrollHeight > one.clientHeight && one.tabIndex < 0) one.tabIndex = 0;
  for (const one of document.querySelectorAll(SCROLLED)) {
    if (one.scrollWidth > one.clientWidth) one.tabIndex = 0;
    else one.removeAttribute("tabindex");
  }
}

// The surroundings come before the page: Shift+Tab and "Skip to main content" lead there.
function begin() {
  const title = document.querySelector("h1");
  if (begun || !title) return;
  begun = true;
  if (document.activeElement !== document.body) return; // somebody is using the page
  title.tabIndex = -1;
  title.focus({ preventScroll: true });
  title.blur();
}

// Show the first paragraph of a headline, and the rest on a click; see style.css.
function fold(box) {
  const more = box.querySelector(".more-lines");
  if (!box.querySelector("p ~ p")) more?.remove();
  else if (!more) box.append(element("button", { className: "more-lines", type: "button", textContent: "More", ariaExpanded: "false", onclick: unfold }));
}

function unfold({ target }) {
  const whole = target.parentElement.classList.toggle("whole");
  Object.assign(target, { textContent: whole ? "Less" : "More", ariaExpanded: String(whole) });
}

export default function watch() {
  observer.observe(document.body, { childList: true, subtree: true });
  addEventListener("toggle", mend, true);
  addEventListener("resize", mend);
  requestAnimationFrame(mend); // by then a change of theme has been drawn
}
