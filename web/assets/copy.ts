import { announce } from "./live";

// offerCopying shows the copy buttons below root, which do nothing without
// script and so are hidden until it runs.
export function offerCopying(root: ParentNode): void {
  for (const button of root.querySelectorAll<HTMLButtonElement>("button[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", () => void copy(button));
  }
}

// offerLinks copies the address of a post at its source, which is the one that
// others can open.
export function offerLinks(): void {
  document.addEventListener("click", (event) => {
    const button = (event.target as Element).closest<HTMLElement>("[data-copy-link]");
    const link = button?.closest("article")?.querySelector<HTMLAnchorElement>("a[data-source]");
    if (button && link) void copyText(button, link.href, "Link copied");
  });
}

// copyText copies a text that a button stands for.
export async function copyText(button: HTMLElement, text: string, said: string): Promise<void> {
  const label = button.textContent;
  const done = (await toClipboard(text)) || typed(text);
  // What stands beside it must not move: the next press may be under way.
  button.style.minInlineSize = `${button.offsetWidth}px`;
  button.textContent = done ? "Copied" : "Not copied";
  announce(done ? said : "The browser does not allow copying here");
  button.addEventListener("blur", () => (button.textContent = label), { once: true });
}

// typed copies a text that does not stand on the page.
function typed(text: string): boolean {
  const focus = document.activeElement;
  const place = document.createElement("pre");
  place.textContent = text;
  document.body.append(place);
  const done = selectAndCopy(place);
  getSelection()?.removeAllRanges();
  place.remove();
  if (focus instanceof HTMLElement) focus.focus();
  return done;
}

async function copy(button: HTMLButtonElement): Promise<void> {
  const source = document.getElementById(button.dataset.copy ?? "");
  if (!source) return;
  const done = (await toClipboard(source.textContent ?? "")) || selectAndCopy(source);
  const text = done ? "Copied" : "Press Ctrl+C to copy";
  button.textContent = text;
  announce(text);
}

// The clipboard is missing on plain http under another name than localhost,
// where the workspace may well be used.
async function toClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

function selectAndCopy(source: Element): boolean {
  getSelection()?.selectAllChildren(source);
  return document.execCommand("copy");
}
