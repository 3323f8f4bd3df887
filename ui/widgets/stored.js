// Values kept by the browser. It may refuse to keep anything, and others may have written there.

export function store(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // refused: forgotten after this visit
  }
}

// Return a stored value; nothing if there is none, or if it cannot be read.
export function stored(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "") ?? undefined;
  } catch {
    return undefined;
  }
}

// Return stored pairs of texts, the latest last; anything else was written by others and is ignored.
export function storedPairs(key) {
  const pairs = stored(key);
  const isSound = (pair) => Array.isArray(pair) && pair.length === 2 && pair.every((text) => typeof text === "string");
  return Array.isArray(pairs) ? pairs.filter(isSound) : [];
}
