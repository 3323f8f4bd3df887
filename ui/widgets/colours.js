// @ts-check
// Colours with enough contrast to the background.

const CONTRAST = 3; // least contrast ratio (to 1) of lines in WCAG
const SHARES = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6];
const MOST = 0.7; // largest share of the text's colour

/** @param {string} colour */
const channels = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));

/** @param {number[]} rgb */
function light(rgb) {
  const [r, g, b] = rgb.map((one) => (one <= 10.3 ? one / 3294.6 : ((one / 255 + 0.055) / 1.055) ** 2.4));
  return 0.05 + 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** The contrast ratio of two colours, as in WCAG. @param {number[]} one @param {number[]} other */
export function contrast(one, other) {
  const pair = [light(one), light(other)];
  return Math.max(...pair) / Math.min(...pair);
}

/** A colour in which a line is visible on its background: the given one, mixed with the text's colour as far as necessary.
 * @param {string} colour @param {string} back @param {string} ink */
export function standingOut(colour, back, ink) {
  if (![colour, back, ink].every((one) => /^#[0-9a-f]{6}$/i.test(one))) return colour;
  const mixed = (/** @type {number} */ share) => channels(colour).map((one, at) => one + share * (channels(ink)[at] - one));
  const share = SHARES.find((one) => contrast(mixed(one), channels(back)) >= CONTRAST) ?? MOST;
  return share ? `rgb(${mixed(share).map(Math.round)})` : colour;
}
