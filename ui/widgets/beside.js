// Set how much of a column must stay visible: up to the end of its last figure, else up to its own end; see plot.py.

export default function tellDown({ parentElement }) {
  const column = parentElement.closest('[data-testid="stColumn"]');
  const tell = () => {
    const figures = [...column.querySelectorAll(".plot:not(.on-stage)")].filter((one) => one.clientWidth);
    const end = Math.max(...figures.map((one) => one.getBoundingClientRect().bottom)) - column.getBoundingClientRect().top;
    column.style.setProperty("--seen", `${figures.length ? end : column.offsetHeight}px`);
  };
  const observer = new ResizeObserver(tell);
  observer.observe(column);
  return () => observer.disconnect();
}
