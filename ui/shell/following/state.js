// What the modules of live sliders share: what the page offers, what is known of it, and where the hand is; see live.py.

export const state = {
  known: new Map(), // a path by its word; while it is asked for, nothing but `asked`
  wanted: new Set(), // the words of paths of which all is to be had
  sliders: new Map(), // by the class of the control: the word of the path, and the figures that it moves
  unmoved: [], // the figures that no slider moves
  held: undefined, // the slider under the hand: its thumb, its path's word, what was shown last, when a key was pressed
  released: -Infinity, // when a thumb was let go last
};

// The class that Streamlit gives what has a key.
export const classOf = (key) => `st-key-${key.trim().replace(/[^a-zA-Z0-9_-]/g, "-")}`;

export function controlOf(target) {
  for (let at = target; at instanceof Element; at = at.parentElement) {
    if (state.sliders.has(at.control)) return at.control; // a thumb in a figure; see handles.js
    for (const one of at.classList) if (state.sliders.has(one)) return one;
  }
  return undefined;
}
