// announce tells a screen reader what changed, through the one live region of
// the page.
export function announce(text: string): void {
  const region = document.getElementById("announcer");
  if (region) region.textContent = text;
}

import type { Listener } from "./stream";

// watchColumns prints columns again when there is something new.
export function watchColumns(): Listener {
  return {
    state(now) {
      document.documentElement.dataset.stream = now;
    },
    column() {},
    connection() {},
    missed() {},
  };
}
