// Paths: asked for, read, and drawn along a slider's track; see paths.py.

// The first time on a page, what is quickly had of each path; after a move, of the slider that has the hand.
async function prefetch() {
  const first = visited !== location.pathname;
  visited = location.pathname;
  const here = [...sliders].filter(([control]) => document.querySelector(`.${control}`)).map(([, one]) => one);
  const wanted = first ? here : [sliders.get(held?.control)].filter(Boolean);
  for (const { word } of wanted) await ask(word, !first);
}

// Ask for a path, for all of it where a hand is near; while the hand moves, only where nothing of it is there.
async function ask(word, whole) {
  const before = known.get(word);
  if (whole) wanted.add(word);
  if (before?.asked || before?.state === "complete" || before?.dear || (before && !whole)) return;
  known.set(word, { ...before, asked: true });
  let state;
  do {
    while (known.has(word) && busy(word)) await new Promise((resolve) => setTimeout(resolve, 100));
    if (!known.has(word)) return;
    const ahead = wanted.has(word) ? "" : "?ahead"; // of a hand: in a class the server computes nothing then
    const answer = await fetch(new URL(`path/${word}${ahead}`, document.baseURI)).catch(() => undefined);
    if (!known.has(word)) return;
    state = answer?.headers.get("X-Path");
    if (state === "later" && !wanted.has(word)) return known.delete(word);
    if (state === "begun" || state === "later") known.set(word, { asked: true });
    else if (state !== "coarse" && state !== "complete") known.set(word, { dear: state === "dear" });
    else known.set(word, { ...read(await answer.arrayBuffer()), state, asked: state === "coarse" && wanted.has(word) });
    if (held) held.shown = undefined;
    for (const [control, slider] of sliders) if (slider.word === word) draw(control);
  } while (state === "begun" || state === "later" || (state === "coarse" && wanted.has(word)));
}

// While a hand moves a thumb and until it is answered, only a path of which nothing is there is asked for: its own.
function busy(word) {
  const now = performance.now();
  if (held?.down && sliders.get(held.control)?.word === word && !known.get(word).positions) return false;
  if (held?.down && now < (held.moved ?? now) + RESTS) return true;
  if (document.querySelector(".plot.js-plotly-plot:empty")) return true; // a figure that is to be drawn
  return now < released + ANSWERS || document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState === "running";
}

// --- along a slider's track ---------------------------------------------------------------------------------------

// A number of the headline at every place of a slider, drawn under its track: where along it the answer changes.
function draw(control) {
  const { word, curves } = sliders.get(control);
  document.querySelector(`.${control}`)?.setAttribute("data-path", known.get(word)?.state ?? "");
  const [path, track] = [known.get(word), document.querySelector(`.${control} [data-testid="stSlider"] [role="group"] > div`)];
  const found = track && path?.texts?.find(({ place }) => place in curves);
  const heights = found && found.at.map((at) => parseFloat(found.values[at]));
  const old = track?.querySelector(".along-track");
  const label = document.querySelector(`.${control} [data-testid="stWidgetLabel"] p`);
  if (!heights?.some(Number.isFinite) || path.positions.length < 3) {
    label?.removeAttribute("data-along");
    return old?.remove();
  }
  const [low, high] = [Math.min(...heights.filter(Number.isFinite)), Math.max(...heights.filter(Number.isFinite))];
  const [first, last] = [path.positions[0], path.positions.at(-1)];
  const places = path.positions.map((position, i) => [100 * (position - first) / (last - first), high > low ? 18 - 16 * (heights[i] - low) / (high - low) : 10]);
  label?.setAttribute("data-along", `${curves[found.place]} ${low.toFixed(3)} to ${high.toFixed(3)}`);
  const svg = old ?? track.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "svg"));
  svg.setAttribute("class", "along-track");
  svg.setAttribute("viewBox", "0 0 100 20");
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("aria-hidden", "true");
  const line = svg.firstChild ?? svg.appendChild(document.createElementNS(svg.namespaceURI, "path"));
  line.setAttribute("d", outline(places.filter(([, y]) => Number.isFinite(y)), () => true));
}
