import { contextOf } from "./columns";

const form = "#edit-form";

// followSteps lets the buttons of a form whose answer prints it again wait for one
// another: a press in the meantime is about the form as it then is, and what is
// typed in the meantime stays.
export function followSteps(): void {
  const waiting: HTMLButtonElement[] = [];
  let busy = false;
  let sent = new Map<string, string>();
  let typed: [string, string][] = [];

  const next = (): void => {
    const button = busy ? undefined : waiting.shift();
    if (!button) return;
    (document.getElementById(button.id) ?? button).click();
    setTimeout(next); // by then htmx has begun
  };
  const press = (event: Event): void => {
    const button = (event.target as Element).closest<HTMLButtonElement>(`${form} button`);
    if (!button || !(busy || (event.isTrusted && waiting.length > 0))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    waiting.push(button);
  };

  document.addEventListener("click", press, { capture: true });
  on("before:request", () => {
    busy = true;
    sent = values();
  });
  on("before:swap", () => (typed = [...values()].filter(([id, value]) => sent.get(id) !== value)));
  on("after:swap", () => typed.forEach(([id, value]) => write(id, value)));
  on("finally:request", () => {
    busy = false;
    next();
  });
}

function on(name: string, run: () => void): void {
  document.addEventListener(`htmx:${name}`, (event) => contextOf(event)?.target?.matches(form) && run());
}

function texts(): HTMLInputElement[] {
  return [...document.querySelectorAll<HTMLInputElement>(`${form} :is(input, textarea, select)[id]:not([type=checkbox], [type=radio])`)];
}

function values(): Map<string, string> {
  return new Map(texts().map((field) => [field.id, field.value]));
}

function write(id: string, value: string): void {
  const field = texts().find((f) => f.id === id);
  if (field) field.value = value;
}
