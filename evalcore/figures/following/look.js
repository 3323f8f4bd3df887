// How figures look on the stage: larger type for the back row, and light words on a dark wall.

import { axisNames } from "./plotly_inside.js";

const DARK = { paper_bgcolor: "#11161d", plot_bgcolor: "#11161d", font: { color: "#e8edf2" } };
export const DARK_AXIS = { gridcolor: "#36404b", zerolinecolor: "#36404b", linecolor: "#8a96a3" };

export const onStage = () => document.body.classList.contains("stage");
const isDark = () => onStage() && document.body.classList.contains("dark");

export function dress(box, { layout }) {
  if (!onStage()) return;
  layout.font = { ...layout.font, size: innerWidth < 640 ? 13 : 20 };
  layout.height = box.parentElement.clientHeight || undefined;
  const names = axisNames(box);
  for (const name of names) layout[name] = withTicks(layout[name], layout.font.size - 3, lengthOf(box, name, layout));
  if (!isDark()) return;
  Object.assign(layout, { ...DARK, font: { ...layout.font, ...DARK.font } });
  for (const name of names) layout[name] = { ...layout[name], ...DARK_AXIS };
}

const lengthOf = (box, name, { height = 450 }) => (name[0] === "y" ? height : box.clientWidth / 4);

// Names beside each other have the room that there is.
function withTicks(axis, usual, length) {
  const count = (axis?.ticktext ?? axis?.tickvals)?.length;
  const size = count ? Math.max(9, Math.min(usual, (0.75 * length) / count)) : usual;
  return { ...axis, tickfont: { ...axis?.tickfont, size } };
}
