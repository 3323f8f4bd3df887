// @ts-check
// The sizes in which a figure leaves as a file, and how its type fits them.

export const INCH = 96; // CSS pixels
const TYPE = 9; // points: what plotly's 12 pixels are, and the least that a layout below has
const LEAST = 5; // points: the smallest numbers in the cells of a map
const TALLEST = 240 / 25.4; // inches: what a page has
const SHARE = 0.28; // of a slide's height that a caption may take
const TALL = 540; // pixels: what most figures are high

/**
 * A layout is as wide as its place divided by `zoom`, then enlarged by it: type, marks and lines keep their proportions.
 * `said`: whether the caption is drawn under it, until a person says otherwise; a paper has its captions from LaTeX.
 * @typedef {{ label: string, suffix?: string, width?: number, height?: number, zoom: number, dpi?: number,
 *   said?: boolean }} Size width and height in inches
 */

/** @type {Record<string, Size>} */
export const SIZES = {
  screen: { label: "As on the screen", zoom: 1, said: true },
  column: { label: "One column, 85 mm", suffix: ", one column", width: 85 / 25.4, zoom: 8 / TYPE, dpi: 600 },
  columns: { label: "Two columns, 175 mm", suffix: ", two columns", width: 175 / 25.4, zoom: 1, dpi: 300 },
  slide: { label: "Slide, 16 : 9", suffix: ", slide", width: 40 / 3, height: 7.5, zoom: 18 / TYPE, dpi: 192, said: true },
};

/** The place of a size as pixels of a layout: its width, its height where it has one, the most that any may have, the
 * room of a caption, and by how much all is enlarged to be exactly as wide as it.
 * @param {Size} size */
export function placeOf({ width = 0, height, zoom }) {
  const [wide, high, most] = [width, height, TALLEST].map((inches) => inches && Math.round((inches * INCH) / zoom));
  return { width: wide ?? 0, height: high, most: most ?? 0, room: high && SHARE * high, zoom: (width * INCH) / (wide || 1) };
}

/** No type smaller than `least` pixels, wherever a figure sets its own.
 * @param {Record<string, any> | any[] | undefined} part @param {number} least */
export function enlargeType(part, least) {
  for (const [name, inner] of Object.entries(part ?? {})) {
    if (typeof inner !== "object" || inner === null || ArrayBuffer.isView(inner)) continue;
    if (/font$/.test(name) && typeof inner.size === "number") inner.size = Math.max(inner.size, least);
    if (!Array.isArray(inner) || typeof inner[0] === "object") enlargeType(inner, least);
  }
}

/**
 * The numbers in the cells of a map are as large as fits; where nobody could read them, the colours speak alone.
 * @param {{ text: string[], textfont: { size: number }, mode?: string }} trace
 * @param {number} across pixels of a cell
 * @param {number} zoom
 */
export function fitCells(trace, across, zoom) {
  const longest = Math.max(...trace.text.map((text) => text.length));
  const size = Math.min(trace.textfont.size, (0.92 * across) / (0.56 * longest));
  if (size * zoom * (72 / INCH) < LEAST) trace.mode = "markers";
  else trace.textfont.size = size;
}

/**
 * Whether a figure is as high as it is for its rows, which must not come closer: many of them, or ranks from the first
 * down.
 * @param {{ data: { type?: string }[], layout: { height: number } }} figure
 * @param {number[]} range of its vertical axis
 */
export function isOfRows({ data, layout }, range) {
  return layout.height > TALL || (range[0] > range[1] && !data.some(({ type }) => type === "heatmap"));
}

/** The room of the data: what they have on the screen, at most as a page of that width has.
 * @param {number} height of the figure on the screen @param {number} width @param {boolean} ofRows */
export const roomOfData = (height, width, ofRows) => Math.max(ofRows ? height - 80 : Math.min(height - 80, 0.62 * width), 40);
