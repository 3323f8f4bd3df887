// How figures look on the stage: larger type for the back row, and light words on a dark wall.

import { fitted } from "./fitted.js";
import { stageOf, unitOf } from "./places.js";
import { axisNames } from "./plotly_inside.js";

const DARK = { paper_bgcolor: "#11161d", plot_bgcolor: "#11161d", font: { color: "#e8edf2" } };
export const DARK_AXIS = { gridcolor: "#36404b", zerolinecolor: "#36404b", linecolor: "#8a96a3" };

export const onStage = () => document.body.classList.contains("stage");
const isDark = () => onStage() && document.body.classList.contains("dark");

// The figure as it is shown: on stage in the room that it has there, and in the dark where that is.
export async function dressed(box, figure) {
  if (!onStage()) return figure;
  const { layout } = figure, [width, height] = [box.parentElement.clientWidth, box.parentElement.clientHeight];
  if (isDark()) {
    Object.assign(layout, { ...DARK, font: { ...layout.font, ...DARK.font } });
    for (const name of axisNames(box)) layout[name] = { ...layout[name], ...DARK_AXIS };
  }
  return width && height ? fitted(window.Plotly, figure, stageOf(width, height, unitOf(window)), getComputedStyle(box).fontFamily) : figure;
}
