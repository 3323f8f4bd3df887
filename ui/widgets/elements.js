// Helpers for elements of a page. Texts from files are never shown as HTML.

export function element(name, properties, children = []) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

// Return the visible area of an element.
export function areaSeen(box) {
  const { top, bottom, width } = box.getBoundingClientRect();
  return width * Math.max(Math.min(bottom, innerHeight) - Math.max(top, 0), 0);
}

// Go to another address of the app, as a new entry of the browser's history, without reloading: the app gets the same event
// as after Back.
export function goTo(address) {
  history.pushState({}, "", address);
  dispatchEvent(new PopStateEvent("popstate", { state: {} }));
}
