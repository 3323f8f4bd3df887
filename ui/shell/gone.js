// Which files were uploaded, remembered by the browser itself under the fingerprint of their data; see gone.py.

import { store, stored } from "../widgets/stored.js";

const KEY = "evalcore files";
const MOST = 50;

export default function remember({ data, parentElement }) {
  const known = read().filter(([on]) => on !== data.on || !data.names);
  if (data.names) store(KEY, [...known, [data.on, data.names]].slice(-MOST));
  const found = known.find(([on]) => on === data.on);
  parentElement.querySelector("p").textContent = found ? `They were: ${found[1]}` : "";
}

function read() {
  const known = stored(KEY);
  return Array.isArray(known) ? known.filter((one) => Array.isArray(one) && one.every((part) => typeof part === "string")) : [];
}
