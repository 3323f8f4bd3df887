// State shared by the modules of live sliders: what the page offers, known paths, and the slider in use; see live.py.

export const state = {
  known: new Map(), // paths by word; only `asked` while one is requested
  wanted: new Set(), // words of paths needed completely
  sliders: new Map(), // by class of the control: the word of its path, and the figures that it moves
  unmoved: [], // the figures that no slider moves
  held: undefined, // the slider in use: its thumb, its path's word, the last position shown, the time of the last key press
  released: -Infinity, // time of the last release of a thumb
};

// The class that Streamlit gives an element with a key.
export const classOf = (key) => `st-key-${key.trim().replace(/[^a-zA-Z0-9_-]/g, "-")}`;

export function controlOf(target) {
  for (let at = target; at instanceof Element; at = at.parentElement) {
    if (state.sliders.has(at.control)) return at.control; // a thumb in a figure; see handles.js
    for (const one of at.classList) if (state.sliders.has(one)) return one;
  }
  return undefined;
}
