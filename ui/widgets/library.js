// plotly.js and other scripts, loaded when needed; see ui/server/library.py.

let library; // the promise of plotly.js, one for all figures

// The page may have loaded it already. On a static host, without our server, it is next to the page.
export function loadPlotly(url) {
  library ??= early()
    .catch(() => plotly(url))
    .catch((error) => plotly(new URL("plotly.min.js", document.baseURI)).catch(() => { throw error; }))
    .catch((error) => { library = undefined; throw error; });
  return library;
}

function early() {
  return new Promise((resolve, reject) => {
    const end = () => (window.Plotly ? resolve(window.Plotly) : reject());
    const element = document.getElementById("plotlyjs");
    if (window.Plotly || !element) return void end();
    for (const one of ["load", "error"]) element.addEventListener(one, end);
  });
}

async function plotly(url) {
  const failed = new Error(`plotly.js did not load from ${url.pathname}. Reload the page.`);
  await added(url).catch(() => { throw failed; });
  if (!window.Plotly) throw failed;
  return window.Plotly;
}

const scripts = {};

// Load each script once; one that failed is requested again.
export function loadScript(path) {
  scripts[path] ??= added(new URL(path, document.baseURI)).catch(() => {
    delete scripts[path];
    throw new Error(`${path} did not load`);
  });
  return scripts[path];
}

function added(src) {
  return new Promise((resolve, reject) => {
    const element = Object.assign(document.createElement("script"), { src });
    Object.assign(element, { onload: resolve, onerror: reject });
    document.head.append(element);
  });
}
