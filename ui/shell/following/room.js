// @ts-check
// The room that a slider leaves its figure on a screen too small for both.

const HIGHEST = 0.62; // of the window
const LEGEND = 0.25; // of a figure's height; a higher one would leave its marks too little
const GAP = 8; // pixels between a figure and its slider

/**
 * How high the figure stands, whether it goes without its legend, and whether it stands below the slider.
 * @param {{ top: number, bottom: number }} slider
 * @param {{ height: number, legend: number }} figure
 * @param {number} window its height
 */
export function dockedIn({ top, bottom }, figure, window) {
  const room = Math.max(top, window - bottom) - GAP;
  const height = Math.min(room, figure.height, HIGHEST * window);
  return { height, bare: figure.legend > LEGEND * height, below: top < window - bottom };
}
