import { announce } from "./live";

// What is typed into a form is kept in this tab for an hour, and offered again
// when it did not arrive: the session had ended, or the workspace failed.
interface Kept {
  at: number;
  // sent: the form was sent; held: what came instead of an answer was a page to
  // sign in or one that says what failed.
  sent?: boolean;
  held?: boolean;
  values: Record<string, string | boolean>;
}

const prefix = "typed:";
const lives = 3_600_000;

// keepTyped keeps it from now on, and offers what is held for this page.
export function keepTyped(): void {
  for (const type of ["input", "change"]) document.addEventListener(type, (event) => note(event.target));
  document.addEventListener("submit", (event) => sent(event.target as HTMLFormElement));
  document.addEventListener("htmx:after:request", (event) => {
    const { ctx } = (event as CustomEvent<{ ctx?: HtmxContext }>).detail;
    if (ctx?.sourceElement.closest("form") && (ctx.response?.status ?? 500) < 400) sessionStorage.removeItem(here());
  });
  const unanswered = document.documentElement.classList.contains("plain");
  for (const [key, kept] of all()) {
    if (Date.now() - kept.at > lives || (kept.sent && !unanswered)) sessionStorage.removeItem(key);
    else if (unanswered) put(key, { ...kept, sent: false, held: true });
  }
  const kept = get(here());
  if (kept?.held && !unanswered) offer(kept);
}

function here(): string {
  return prefix + location.pathname + location.search;
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

// A secret is never kept, whatever its field says it is.
function isKept(field: Element | EventTarget | null): field is Field {
  return (
    field instanceof Element &&
    field.matches("form[method=post] :is(input, textarea, select)") &&
    !/^(password|hidden|file)$/.test((field as Field).type) &&
    !/pass|secret|token|code/i.test((field as Field).name)
  );
}

// keyOf names a field: its form, its name, and which of that name it is.
function keyOf(field: Field): string {
  const form = field.form as HTMLFormElement;
  const same = [...form.elements].filter((e) => (e as Field).name === field.name);
  return [form.getAttribute("action") ?? "", field.name, same.indexOf(field)].join(" ");
}

const chosen = (field: Field): field is HTMLInputElement => /^(checkbox|radio)$/.test(field.type);

function note(target: EventTarget | null): void {
  if (!isKept(target)) return;
  const { held, values = {} } = get(here()) ?? {};
  const key = keyOf(target);
  delete values[key]; // the last choice of a group comes last
  values[key] = chosen(target) ? target.checked : target.value;
  // A field that is covered tells of its change only then.
  put(here(), { at: Date.now(), values, ...(held && { held }) });
}

function sent(form: HTMLFormElement): void {
  if (form.matches("[data-signs-out]")) for (const [key] of all()) sessionStorage.removeItem(key);
  const kept = get(here());
  if (kept) put(here(), { ...kept, sent: true });
}

// holdTyped keeps what is on the page when its session has ended: whoever signs
// in again finds it.
export function holdTyped(): void {
  const kept = get(here());
  if (kept) put(here(), { ...kept, held: true });
}

function offer(kept: Kept): void {
  const fields = [...document.querySelectorAll("form *")].filter(isKept);
  const found = fields.filter((f) => keyOf(f) in kept.values);
  const form = found[0]?.form;
  // A form that stood in a card's place is not there any more, but has a page.
  const edit = Object.keys(kept.values).map((key) => key.split(" ")[0] ?? "").find((action) => action.endsWith("/edit"));
  const place = form ?? (edit && document.querySelector("#inbox"));
  if (!place) return;
  const text = "What you typed here did not arrive. It is kept for an hour.";
  const box = document.createElement("div");
  box.className = "notice warn";
  box.append(paragraph("", text), paragraph("row", form ? button("Put it back", back) : leadTo(edit ?? "", kept), button("Forget it", forget)));
  place.before(box);
  announce(text);

  function back(): void {
    for (const [key, value] of Object.entries(kept.values)) {
      const field = found.find((f) => keyOf(f) === key);
      if (field) fill(field, value);
    }
    box.remove();
    found[0]?.focus();
  }
  function forget(): void {
    sessionStorage.removeItem(here());
    box.remove();
    found[0]?.focus();
  }
}

// leadTo leads to the page of a form, where what was typed is offered again.
function leadTo(action: string, kept: Kept): HTMLElement {
  const link = document.createElement("a");
  link.className = "button";
  link.href = action;
  link.textContent = "Go on with it";
  link.addEventListener("click", () => {
    sessionStorage.removeItem(here());
    put(prefix + action, kept);
  });
  return link;
}

function fill(field: Field, value: string | boolean): void {
  for (let d = field.closest("details"); d; d = d.parentElement?.closest("details") ?? null) d.open = true;
  if (typeof value === "string") field.value = value;
  else if (chosen(field)) field.checked = value;
}

function paragraph(name: string, ...content: (string | Node)[]): HTMLElement {
  const p = document.createElement("p");
  p.className = name;
  p.append(...content);
  return p;
}

function button(text: string, press: () => void): HTMLElement {
  const b = document.createElement("button");
  b.type = "button";
  b.textContent = text;
  b.addEventListener("click", press);
  return b;
}

function all(): [string, Kept][] {
  const keys = Object.keys(sessionStorage).filter((key) => key.startsWith(prefix));
  return keys.flatMap((key) => {
    const kept = get(key);
    return kept ? [[key, kept] as [string, Kept]] : [];
  });
}

function get(key: string): Kept | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

// A browser without room keeps nothing; the form works all the same.
function put(key: string, kept: Kept): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(kept));
  } catch {
    return;
  }
}
