// Names of uploaded files, kept by the browser under the fingerprint of the data; see missing_files.py.

import { store, storedPairs } from "../widgets/stored.js";

const KEY = "evalcore files";
const MOST = 50;

export default function remember({ data, parentElement }) {
  const known = storedPairs(KEY).filter(([on]) => on !== data.on || !data.names);
  if (data.names) store(KEY, [...known, [data.on, data.names]].slice(-MOST));
  const found = known.find(([on]) => on === data.on);
  parentElement.querySelector("p").textContent = found ? `They were: ${found[1]}` : "";
}
