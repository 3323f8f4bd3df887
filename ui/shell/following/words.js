// What is said at another place of a slider.

// What is said stands over what Streamlit wrote, which stays as it is underneath until its next answer.
function say(place, text) {
  const box = document.querySelector(`.${name(place)}`);
  if (!box) return;
  const number = box.querySelector('[data-testid="stMetricValue"]');
  if (!number) return cover(box.querySelector('[data-testid="stMarkdownContainer"], [data-testid="stCaptionContainer"]'), (over) => write(over, text));
  const [value, change] = text.split("\n");
  cover(number, (over) => { over.textContent = value; });
  cover(box.querySelector('[data-testid="stMetricDelta"]'), (over) => { over.textContent = change; });
}

function cover(element, fill) {
  if (!element) return;
  let over = element.querySelector(":scope > .live-text");
  if (!over) {
    over = Object.assign(document.createElement("div"), { className: "live-text" });
    element.append(over);
    element.style.minHeight = `${element.offsetHeight}px`;
    element.setAttribute("data-live", "");
  }
  fill(over);
}

// Markdown as headlines and answers have it: lines, bold and slanted words, links, escaped signs.
function write(over, text) {
  const paragraph = document.createElement("p");
  text.split("  \n").forEach((line, i) => paragraph.append(...(i ? [document.createElement("br")] : []), ...inline(line)));
  over.replaceChildren(paragraph);
}

const INLINE = /\\([^A-Za-z0-9\s])|\*\*((?:\\.|[^\\])+?)\*\*|\*((?:\\.|[^\\*])+?)\*|\[((?:\\.|[^\\\]])*)\]\((\/[^\s)]*)(?: "[^"]*")?\)/g;

function inline(text) {
  const parts = [];
  let done = 0;
  const element = (name, words, more) => {
    const made = Object.assign(document.createElement(name), more);
    made.append(...inline(words));
    return made;
  };
  for (const { 0: whole, index, 1: sign, 2: bold, 3: slanted, 4: label, 5: href } of text.matchAll(INLINE)) {
    parts.push(text.slice(done, index));
    done = index + whole.length;
    if (sign) parts.push(sign);
    else if (bold) parts.push(element("strong", bold));
    else if (slanted) parts.push(element("em", slanted));
    else parts.push(element("a", label, { href }));
  }
  return [...parts, text.slice(done)];
}
