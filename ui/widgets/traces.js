// Identity of traces for plotly.

// Each is identified by its name, so that a hidden one stays hidden when traces before it come or go. Plotly also finds
// elements by this id, so it must be one plain word.
export function identify(traces) {
  const seen = {};
  for (const trace of traces) {
    const word = `t${trace.name}`.replace(/\W/g, (sign) => `_${sign.charCodeAt(0)}_`);
    seen[word] = (seen[word] ?? 0) + 1;
    trace.uid = `${word}_${seen[word]}`;
  }
}

// The app determines the selection: outline and fading made by the browser end when the app's next figure arrives.
export function forgetSelection({ data, selections }, layout) {
  layout.selectionrevision = selections; // number of reports to the app, so that two answers never look equal
  layout.selections ??= [];
  for (const trace of data) trace.selectedpoints ??= null;
}

// Return what points stand for, each once; in a map whose columns have a meaning, the point's column.
export function meant(points) {
  const names = points.map(({ customdata, data, x }) => customdata?.[0] ?? data.meta?.[x]);
  return [...new Set(names.filter((name) => name !== null && name !== undefined))];
}
