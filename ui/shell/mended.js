// Streamlit's markup where it keeps people out (WCAG 2.1.1 and 4.1.2): code and formulas that are wider than their place
// scroll by the mouse alone, the place for files is named but says that it is nothing, and menus, which stand outside of the
// app, do not know whether it is dark (so that light-dark() takes the light colour); see mended.py. And a
// headline is short, and the first Tab after opening leads to the page and not through all that stands around it.

import { element } from "../widgets/elements.js";

const SCROLLED = ".stCode pre, .katex-display";
const MENUS = '[data-testid="stPopoverBody"]'; // a long one without a control scrolls by the mouse alone, too
const FILES = 'section[data-testid="stFileUploaderDropzone"][role="presentation"]';
const HEADLINES = '[class*="st-key-sentence-headline"]';
let awaited = false;
let begun = false;

// While a slider moves nothing is looked at: what it ends with is a change, too.
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

// What stands around the page is before it: Shift+Tab and "Skip to main content" lead there.
function begin() {
  const title = document.querySelector("h1");
  if (begun || !title) return;
  begun = true;
  if (document.activeElement !== document.body) return; // somebody is at work
  title.tabIndex = -1;
  title.focus({ preventScroll: true });
  title.blur();
}

// Of a headline the first paragraph is seen, and the rest by a click; see style.css.
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
  requestAnimationFrame(mend); // a change of theme has been drawn then
}
