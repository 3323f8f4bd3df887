// A number of the headline at every slider position, drawn below the track, to show where the answer changes.

import { alongTrack, isPlace, outline } from "#following/geometry.js";
import { state } from "./state.js";

export function drawAlong(control) {
  const { word, curves } = state.sliders.get(control);
  const path = state.known.get(word);
  document.querySelector(`.${control}`)?.setAttribute("data-path", path?.state ?? "");
  const track = document.querySelector(`.${control} [data-testid="stSlider"] [role="group"] > div`);
  const label = document.querySelector(`.${control} [data-testid="stWidgetLabel"] p`);
  const curve = track && curveOf(path, curves);
  if (!curve) {
    label?.removeAttribute("data-along");
    return track?.querySelector(".along-track")?.remove();
  }
  const finite = curve.values.filter(Number.isFinite);
  label?.setAttribute("data-along", `${curve.name} ${Math.min(...finite).toFixed(3)} to ${Math.max(...finite).toFixed(3)}`);
  lineOn(track).setAttribute("d", outline(alongTrack(path.positions, curve.values).filter(isPlace)));
}

// Return the number of a path to draw, with its name; nothing if it is not a number, or if there are too few positions.
function curveOf(path, curves) {
  const found = path?.texts?.find(({ place }) => place in curves);
  const values = found?.at.map((at) => parseFloat(found.values[at]));
  return values?.some(Number.isFinite) && path.positions.length >= 3 ? { name: curves[found.place], values } : undefined;
}

function lineOn(track) {
  const svg = track.querySelector(".along-track") ?? track.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "svg"));
  const has = { class: "along-track", viewBox: "0 0 100 20", preserveAspectRatio: "none", "aria-hidden": "true" };
  for (const [name, value] of Object.entries(has)) svg.setAttribute(name, value);
  return svg.firstChild ?? svg.appendChild(document.createElementNS(svg.namespaceURI, "path"));
}
