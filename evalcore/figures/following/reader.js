// @ts-check
// The reader of a path: plays it at a value of its slider, in the app, in reports and offline; pages say where things are.

import { locate, valueAt } from "./frames.js";

/**
 * A page: where the figure of a key is (nowhere: it is left as it is), how one is changed (whether it was), and how texts
 * and the columns of tables are written.
 * @typedef {{ figure(key: string): any, change(box: any, changes: { track: any, keys: (string | number)[], value: any }[]): boolean,
 *   say(key: string, text: any): void, fill?(key: string, column: string | number, values: any): void }} Page
 */

/** Whether all of the path is shown now. @param {import("./frames.js").Path} path @param {number} value @param {Page} page */
export function play(path, value, page) {
  const where = locate(path, value);
  let whole = true;
  for (const [key, tracks] of Object.entries(path.figures)) {
    const box = page.figure(key);
    if (!box) continue;
    const changes = tracks.map((track) => ({ track, keys: track.keys, value: valueAt(track, where) }));
    whole = page.change(box, changes) && whole;
  }
  for (const track of path.texts) page.say(String(track.place), valueAt(track, where));
  for (const [key, tracks] of Object.entries(path.tables)) {
    for (const track of tracks) page.fill?.(key, track.keys[0], valueAt(track, where));
  }
  return whole;
}
