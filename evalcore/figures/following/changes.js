// Changes of a figure that is drawn anew.

// The value of a change as the figure has it: of what is a list a list, else one.
export function asGiven(box, { keys, value, track }) {
  if (track.values || track.length > 1) return value;
  const before = keys.reduce((part, key) => part?.[key], { data: box.data, layout: box.layout });
  return before !== null && typeof before === "object" ? value : value[0]; // an array, or what plotly reads as one
}

// Changes set in a figure.
export function setIn(figure, changes) {
  for (const { keys, value } of changes) {
    keys.slice(0, -1).reduce((part, key) => (part[key] ??= {}), figure)[keys.at(-1)] = value;
  }
}
