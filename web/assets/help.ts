import type { Command } from "./keys";

// showHelp lists the keys in a dialog: the same as the page of all keys.
export function showHelp(commands: Command[]): boolean {
  const dialog = document.createElement("dialog");
  dialog.className = "help";
  dialog.ariaLabel = "Keys";
  const close = element("button", "Close");
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  const title = element("h2", "Keys");
  dialog.append(title);
  for (const [group, list] of Object.entries(Object.groupBy(commands, (c) => c.in))) {
    dialog.append(element("h3", group), table(list ?? []));
  }
  dialog.append(close);
  document.body.append(dialog);
  dialog.showModal();
  return true;
}

function table(list: Command[]): HTMLElement {
  const dl = document.createElement("dl");
  for (const c of list) {
    const dt = document.createElement("dt");
    dt.append(...c.keys.flatMap((key) => [...key.split(" ").map((k) => element("kbd", names[k] ?? k)), " "]));
    dl.append(dt, element("dd", c.does));
  }
  return dl;
}

// names are those of keys that have no character.
const names: Record<string, string> = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Escape: "Esc" };

function element(name: string, text: string): HTMLElement {
  const e = document.createElement(name);
  e.textContent = text;
  return e;
}
