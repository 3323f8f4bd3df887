// When axes that hold still are let go.

// Another control than a slider may show another figure: its axes are its own.
function letGo(event) {
  if (event.target instanceof Element && event.target.closest(".plot, .st-key-menu ~ *") && !controlOf(event.target)) {
    for (const box of document.querySelectorAll(".plot")) if (!box.contains(event.target)) box.held = undefined;
  }
}

// Z shows all of what there is: a figure is fitted to its marks.
function fit(event) {
  if (event.key !== "z" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches("input:not([type=range]), textarea, [contenteditable=true]")) return;
  for (const box of document.querySelectorAll(".plot")) {
    if (!box._fullLayout) continue;
    box.held = undefined;
    window.Plotly.relayout(box, Object.fromEntries(axes(box).map((key) => [`${key}.autorange`, true])));
  }
}
