// The finding is announced to screen readers when sliders rest and the server has answered, but not when a page opens.

let region; // polite: waits until current speech has ended
let before;

export function speak({ page, found }) {
  if (!region?.isConnected) {
    region = Object.assign(document.createElement("div"), { className: "spoken", ariaLive: "polite" });
    document.body.append(region);
  }
  if (before?.page === page && before.found !== found) region.textContent = found;
  before = { page, found };
}

let looked = false;

// On a tablet the sidebar would cover a third of the page, so it is folded until a person opens it.
export function foldSidebar() {
  if (looked) return;
  looked = true;
  if (!matchMedia("(min-width: 641px) and (max-width: 900px)").matches) return;
  document.querySelector('[data-testid="stSidebarCollapseButton"] button[aria-expanded="true"]')?.click();
}
