// @ts-check
// The space that a slider leaves for its figure on a screen too small for both.

const HIGHEST = 0.62; // share of the window's height
const LEGEND = 0.25; // largest share of a figure's height; a higher legend leaves too little for the marks
const GAP = 8; // pixels between a figure and its slider

/**
 * Return the height of the figure, whether its legend is hidden, and whether it is below the slider.
 * @param {{ top: number, bottom: number }} slider
 * @param {{ height: number, legend: number }} figure
 * @param {number} window its height
 */
export function dockedIn({ top, bottom }, figure, window) {
  const room = Math.max(top, window - bottom) - GAP;
  const height = Math.min(room, figure.height, HIGHEST * window);
  return { height, bare: figure.legend > LEGEND * height, below: top < window - bottom };
}
