// Traces as plotly is to know them.

// Each is known by its name, so that a hidden one stays hidden when others come or go before it. Plotly also looks for
// elements by it, so it has to be one plain word.
export function identify(traces) {
  const seen = {};
  for (const trace of traces) {
    const word = `t${trace.name}`.replace(/\W/g, (sign) => `_${sign.charCodeAt(0)}_`);
    seen[word] = (seen[word] ?? 0) + 1;
    trace.uid = `${word}_${seen[word]}`;
  }
}

// The app says what is selected: outline and fading made by the browser end with the figure that answers them.
export function forgetSelection({ data, selections }, layout) {
  layout.selectionrevision = selections; // how often the app was told, so that one answer never equals the one before
  layout.selections ??= [];
  for (const trace of data) trace.selectedpoints ??= null;
}

// What points stand for, each once; in a map whose columns stand for something, a point's column.
export function meant(points) {
  const names = points.map(({ customdata, data, x }) => customdata?.[0] ?? data.meta?.[x]);
  return [...new Set(names.filter((name) => name !== null && name !== undefined))];
}
