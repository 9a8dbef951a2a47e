import { announce } from "./live";

// offerCopying shows the copy buttons below root, which do nothing without
// script and so are hidden until it runs.
export function offerCopying(root: ParentNode): void {
  for (const button of root.querySelectorAll<HTMLButtonElement>("button[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", () => void copy(button));
  }
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
