// What was answered to exercises, kept by the browser itself under the names of the sets; see progress.py.

import { store, storedPairs } from "../widgets/stored.js";

const KEY = "evalcore exercises";
const MOST = 20; // sets

const seen = new Map(); // what this tab last wrote or read, by set

export default function keep({ data, setTriggerValue }) {
  const kept = new Map(storedPairs(KEY));
  const there = kept.get(data.at);
  const another = seen.has(data.at) && there !== undefined && there !== seen.get(data.at); // tab wrote since
  if (!data.known || another) {
    seen.set(data.at, there);
    setTriggerValue("kept", there ?? "[]"); // the server joins both, and says so in the next run
    return;
  }
  seen.set(data.at, data.text);
  if (there === data.text) return;
  kept.delete(data.at); // the latest one stands last
  kept.set(data.at, data.text);
  store(KEY, [...kept].slice(-MOST));
}
