// The style of figures: Streamlit's theme as a plotly template, and larger type for the stage.

import { standingOut } from "./colours.js";

// Convert a theme, given by its variables, into a plotly template; a figure's own settings override it.
export function template(st) {
  const [back, border, faint] = [st("background-color"), st("border-color"), st("border-color-light")];
  const font = { family: st("font"), color: st("text-color") };
  // Transparent, but of the page's colour, from which plotly decides whether to draw zoom boxes dark or light.
  const clear = /^#[0-9a-f]{6}$/i.test(back) ? `${back}00` : "rgba(0, 0, 0, 0)";
  return {
    font,
    paper_bgcolor: clear,
    plot_bgcolor: clear,
    colorway: st("chart-categorical-colors").split(","),
    hoverlabel: { bgcolor: st("secondary-background-color"), bordercolor: border, font },
    modebar: { bgcolor: clear, color: border, activecolor: font.color },
    newselection: { line: { color: font.color } },
    xaxis: { automargin: true, showgrid: false, gridcolor: faint, zerolinecolor: faint },
    yaxis: { automargin: true, gridcolor: faint, zerolinecolor: faint },
  };
}

// The theme on the screen, from Streamlit's CSS variables.
export function theme(box) {
  const style = getComputedStyle(box);
  return template((name) => style.getPropertyValue(`--st-${name}`).trim());
}

// Lines thick enough for the back row.
export function standOut(traces, { template: { layout } }) {
  const { color: ink } = layout.font, back = layout.paper_bgcolor.slice(0, 7);
  for (const { line } of traces) if (line?.color) line.color = standingOut(line.color, back, ink);
}
