// Tells the styles how tall the column of a figure is; see beside.py.

export default function ({ parentElement }) {
  const column = parentElement.closest('[data-testid="stColumn"]');
  const observer = new ResizeObserver(() => column.style.setProperty("--tall", `${column.offsetHeight}px`));
  observer.observe(column);
  return () => observer.disconnect();
}
