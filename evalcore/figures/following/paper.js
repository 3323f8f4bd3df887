// A figure of a page without a server leaves as a file: the button of plotly's own saves the figure alone; what is taken
// from a report says what it shows.

import { linearAxes } from "./axes.js";
import { addCaption, captionLines, handOut } from "./caption.js";
import { asMade, FIGURES } from "./drawing.js";
import { DARK_AXIS } from "./look.js";

const [FACE, INK] = ['"Source Sans 3", "Segoe UI", sans-serif', "#1d2733"]; // a file inherits no type

export function saveWithCaptions() {
  addEventListener("click", (event) => {
    const box = event.target.closest?.('.modebar-btn[data-title^="Download plot"]')?.closest(FIGURES);
    if (!box?.closest(".view")) return;
    event.stopPropagation();
    save(box);
  }, true);
}

async function save(box) {
  const headline = box.closest("figure")?.querySelector(".headline")?.textContent.trim().replaceAll("\n", " · ");
  const caption = [headline, box.closest("figure")?.querySelector("figcaption")?.textContent].filter(Boolean).join("\n");
  const [width, height] = [box.clientWidth, box.clientHeight];
  const figure = onPaper(box);
  const drawn = await window.Plotly.toImage(figure, { format: "svg", width, height, imageDataOnly: true });
  const svg = new DOMParser().parseFromString(drawn, "image/svg+xml").documentElement;
  const whole = height + addCaption(svg, captionLines(caption, width, 12, FACE), { width, height, size: 12, family: FACE, ink: INK, back: "#fff" });
  svg.setAttribute("height", whole);
  svg.setAttribute("viewBox", `0 0 ${width} ${whole}`);
  const title = box.closest(".view").querySelector("h1, h2").textContent;
  const content = new Blob([new XMLSerializer().serializeToString(svg)], { type: "image/svg+xml" });
  handOut(content, `${title.replace(/[\\/:*?"<>|]/g, "_")}.svg`);
}

// The figure as it is on the screen, in the light whatever the stage is in.
function onPaper(box) {
  const { data, layout } = structuredClone({ data: box.data, layout: box.layout }), made = asMade(box).layout;
  const plain = (part, before, names) => Object.assign(part, Object.fromEntries(names.map((name) => [name, before?.[name]])));
  plain(layout, made, ["paper_bgcolor", "plot_bgcolor"]);
  layout.font = { ...layout.font, color: INK, family: FACE };
  for (const name of linearAxes(box)) if (layout[name]) plain(layout[name], made[name], Object.keys(DARK_AXIS));
  return { data, layout };
}
