// What a page found is spoken once its sliders rest and the server has answered; a page that opens speaks for itself.

let region; // polite: it waits until what is being spoken has ended
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

// On a tablet the sidebar would take a third of the page: it is folded until a person opens it.
export function foldSidebar() {
  if (looked) return;
  looked = true;
  if (!matchMedia("(min-width: 641px) and (max-width: 900px)").matches) return;
  document.querySelector('[data-testid="stSidebarCollapseButton"] button[aria-expanded="true"]')?.click();
}
