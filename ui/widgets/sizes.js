// @ts-check
// The sizes in which a figure is saved; #following/places.js defines the layout of each.

export const INCH = 96; // CSS pixels

/**
 * `place`: the name of its layout, none for the figure as on the screen. `dpi` of a PNG. `captioned`: true if the caption is
 * included by default; in a paper, captions come from LaTeX.
 * @typedef {{ label: string, place?: "column" | "columns" | "slide", suffix?: string, dpi?: number, captioned?: boolean }} Size
 */

/** @type {Record<string, Size>} */
export const SIZES = {
  screen: { label: "As on the screen", captioned: true },
  column: { label: "One column, 85 mm", place: "column", suffix: "-column", dpi: 600 },
  columns: { label: "Two columns, 175 mm", place: "columns", suffix: "-columns", dpi: 300 },
  slide: { label: "Slide, 16 : 9", place: "slide", suffix: "-slide", dpi: 192, captioned: true },
};
