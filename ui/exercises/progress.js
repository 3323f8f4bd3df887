// What was answered to exercises, kept by the browser itself under the names of the sets; see progress.py.

const KEY = "evalcore exercises";
const MOST = 20; // sets

export default function ({ data, setTriggerValue }) {
  const kept = read();
  if (!data.known) {
    setTriggerValue("kept", kept.get(data.at) ?? "[]");
  } else if (kept.get(data.at) !== data.text) {
    kept.delete(data.at); // the latest one stands last
    kept.set(data.at, data.text);
    write([...kept].slice(-MOST));
  }
}

// A browser may refuse to keep anything, and others may have written there.
function read() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY));
    const sound = Array.isArray(kept) ? kept.filter((one) => Array.isArray(one) && one.length === 2 && one.every((part) => typeof part === "string")) : [];
    return new Map(sound);
  } catch {
    return new Map();
  }
}

function write(kept) {
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {}
}
