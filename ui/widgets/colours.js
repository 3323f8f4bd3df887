// @ts-check
// Colours that can be told from what is behind them.

const CONTRAST = 3; // to 1, as WCAG asks of lines
const SHARES = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6];
const MOST = 0.7; // of the text's colour

/** @param {string} colour */
const channels = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));

/** @param {number[]} rgb */
function light(rgb) {
  const [r, g, b] = rgb.map((one) => (one <= 10.3 ? one / 3294.6 : ((one / 255 + 0.055) / 1.055) ** 2.4));
  return 0.05 + 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** The contrast of two colours, as WCAG has it. @param {number[]} one @param {number[]} other */
export function contrast(one, other) {
  const pair = [light(one), light(other)];
  return Math.max(...pair) / Math.min(...pair);
}

/** A colour that a line can be seen by against what is behind it: as given, or that much nearer to the text's.
 * @param {string} colour @param {string} back @param {string} ink */
export function standingOut(colour, back, ink) {
  if (![colour, back, ink].every((one) => /^#[0-9a-f]{6}$/i.test(one))) return colour;
  const mixed = (/** @type {number} */ share) => channels(colour).map((one, at) => one + share * (channels(ink)[at] - one));
  const share = SHARES.find((one) => contrast(mixed(one), channels(back)) >= CONTRAST) ?? MOST;
  return share ? `rgb(${mixed(share).map(Math.round)})` : colour;
}
