// What the browser keeps by itself. It may refuse to keep anything, and others may have written there.

export function store(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // refused: it is forgotten with this visit
  }
}

// A value as it was stored; nothing where there is none, or what is there cannot be read.
export function stored(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "") ?? undefined;
  } catch {
    return undefined;
  }
}

// Pairs of texts as they were stored, the latest last; what is none was written by others.
export function storedPairs(key) {
  const pairs = stored(key);
  const isSound = (pair) => Array.isArray(pair) && pair.length === 2 && pair.every((text) => typeof text === "string");
  return Array.isArray(pairs) ? pairs.filter(isSound) : [];
}
