// What our scripts do to a page, and ask of it. What is foreign in an element made by hand is shown as text only.

export function element(name, properties, children = []) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

// How much of an element is in the window.
export function areaSeen(box) {
  const { top, bottom, width } = box.getBoundingClientRect();
  return width * Math.max(Math.min(bottom, innerHeight) - Math.max(top, 0), 0);
}

// To another address of the app: it becomes an entry of the browser's history, and the app is told as Back tells it, so
// nothing is loaded anew, and Back leads back.
export function goTo(address) {
  history.pushState({}, "", address);
  dispatchEvent(new PopStateEvent("popstate", { state: {} }));
}
