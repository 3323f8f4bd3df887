// Frames: what a slider shows at its places, packed by path.py; read, and found between two of them.

function read(data) {
  const length = new DataView(data).getUint32(0, true);
  const { positions, tracks } = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, length)));
  const numbers = new Float32Array(data, 4 + length);
  const path = { positions, figures: {}, tables: {}, texts: [] };
  for (const track of tracks) {
    const [kind, key, ...keys] = track.keys;
    track.numbers = numbers;
    if (kind === "texts") path.texts.push({ ...track, place: key });
    else (path[kind][key] ??= []).push({ ...track, keys });
  }
  return path;
}

// Where a value lies: between which two positions, how far from the first, and which is nearer.
function place({ positions }, value) {
  let high = positions.findIndex((one) => one >= value);
  if (high < 0) high = positions.length - 1;
  const low = positions[high] === value ? high : Math.max(high - 1, 0);
  const share = high === low ? 0 : (value - positions[low]) / (positions[high] - positions[low]);
  return { low, high, share: Math.min(Math.max(share, 0), 1) };
}

function at(track, { low, high, share }) {
  if (track.values) return track.values[track.at[share < 0.5 ? low : high]];
  const [first, second] = [low, high].map((row) => track.from + row * track.length);
  return Array.from({ length: track.length }, (_, i) => {
    const [a, b] = [track.numbers[first + i], track.numbers[second + i]];
    return share === 0 ? a : share === 1 ? b : Number.isNaN(a) || Number.isNaN(b) ? (share < 0.5 ? a : b) : a + share * (b - a);
  });
}
