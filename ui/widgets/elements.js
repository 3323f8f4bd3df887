// Elements made by hand; what is foreign in them is shown as text only.

export function element(name, properties, children = []) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}
