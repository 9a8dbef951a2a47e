import { choose, decide, leave, pick, undo } from "./activities";
import registry from "./keys.json";
import { showHelp } from "./help";
import { makeTask } from "./tasks";
import { besides, columnAt, openPost, post, stepFrom } from "./rove";

// Command is a row of the registry: the handler below, the help dialog and the
// page of all keys are made from the same rows.
export interface Command {
  in: string;
  // keys are as KeyboardEvent has them; a sequence has a space.
  keys: string[];
  does: string;
  run: string;
  with?: string;
}

export const commands: Command[] = registry;

// Run does a command and reports whether there was anything to do.
type Run = (argument: string, key: string) => boolean;

const runs: Record<string, Run> = {
  help: () => showHelp(available()),
  go: (section) => click(document.querySelector(`a[data-section="${section}"]`)),
  close: () => closeMenu() || leave(),
  decide: (verb) => decide(verb),
  pick,
  undo,
  new: () => click(document.querySelector("[data-new]")),
  column: (_, key) => choose(Number(key)) || columnAt(Number(key) - 1),
  aside: (by) => besides(Number(by)),
  news: () => click((post()?.closest(".column") ?? document).querySelector(".held button")),
  step: (by, key) => (key.startsWith("Arrow") && document.activeElement !== post() ? false : stepFrom(Number(by))),
  open: (_, key) => (key === "Enter" && document.activeElement !== post() ? false : openPost("a[data-open]")),
  task: makeTask,
  source: () => openPost("a[data-source]"),
};

const byKey = new Map(commands.flatMap((c) => c.keys.map((key) => [key, c] as const)));

// sequenceTime is how long a sequence waits for its second key.
const sequenceTime = 1000;

// followKeys does what the keys of the registry say.
export function followKeys(): void {
  let before = "";
  let at = 0;
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || isComposing(event) || !allowed(event)) return;
    const waited = Date.now() - at < sequenceTime ? before : "";
    before = "";
    const command = (waited && byKey.get(`${waited} ${event.key}`)) || byKey.get(event.key);
    if (command && !(event.repeat && command.run !== "step")) {
      if (runs[command.run]?.(command.with ?? "", event.key)) event.preventDefault();
      return;
    }
    if (!commands.some((c) => c.keys.some((k) => k.startsWith(`${event.key} `)))) return;
    before = event.key;
    at = Date.now();
  });
}

// Keys that pick a word of an input method are not commands; some browsers say
// so by the code alone.
function isComposing(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === 229;
}

// Escape is no character and works always; all others are off where something is
// typed or chosen, in a dialog, with a modifier, and by the person's setting.
// Layouts that have a character on AltGr send Ctrl and Alt with it.
function allowed(event: KeyboardEvent): boolean {
  if (event.key === "Escape") return true;
  const held = event.metaKey || ((event.ctrlKey || event.altKey) && !event.getModifierState("AltGraph"));
  return "keys" in document.documentElement.dataset && !held && !takesKeys(event.target) && !document.querySelector("dialog[open]");
}

function takesKeys(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("input, textarea, select, audio, video, [role=menu] *, [role=listbox] *"))
  );
}

function closeMenu(): boolean {
  const menu = [...document.querySelectorAll<HTMLDetailsElement>("details.menu[open]")].pop();
  if (!menu) return false;
  const inside = menu.contains(document.activeElement);
  menu.open = false;
  if (inside) menu.querySelector("summary")?.focus();
  return true;
}

function click(target: Element | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  target.click();
  return true;
}

// available are the commands without those that lead where nothing is yet.
function available(): Command[] {
  return commands.filter((c) => c.run !== "go" || document.querySelector(`a[data-section="${c.with}"]`));
}
