// Which files were uploaded, remembered by the browser itself under the fingerprint of their data; see gone.py.

const KEY = "evalcore files";
const MOST = 50;

export default function ({ data, parentElement }) {
  const known = read().filter(([on]) => on !== data.on || !data.names);
  if (data.names) write([...known, [data.on, data.names]].slice(-MOST));
  const found = known.find(([on]) => on === data.on);
  parentElement.querySelector("p").textContent = found ? `They were: ${found[1]}` : "";
}

// A browser may refuse to keep anything, and others may have written there.
function read() {
  try {
    const known = JSON.parse(localStorage.getItem(KEY));
    return Array.isArray(known) ? known.filter((one) => Array.isArray(one) && one.every((part) => typeof part === "string")) : [];
  } catch {
    return [];
  }
}

function write(known) {
  try {
    localStorage.setItem(KEY, JSON.stringify(known));
  } catch {}
}
