import { contextOf } from "./columns";
import { copyText } from "./copy";
import { announce } from "./live";
import { post } from "./rove";
import { show } from "./stream";
import type { Listener } from "./stream";

// decide presses a button of the form about all that are selected, else of the
// current card, or of the only one.
export function decide(verb: string): boolean {
  const cards = document.querySelectorAll<HTMLElement>("[data-activity]");
  const card = post() ?? (cards.length === 1 ? cards[0] : undefined);
  const all = document.querySelector(".pick:checked") && document.querySelector<HTMLElement>(`#batch [data-verb="${verb}"]`);
  // What is being decided is not decided once more.
  const button = all ?? card?.querySelector<HTMLElement>(`:scope:not(:has(.htmx-request)) [data-verb="${verb}"]`);
  all?.focus(); // a list of times is opened by the person
  button?.click();
  if (!all) card?.querySelector<HTMLElement>("details[open] [data-choice]")?.focus();
  return button !== null && button !== undefined;
}

// pick selects the current card, or no longer.
export function pick(): boolean {
  const box = post()?.querySelector<HTMLElement>(".pick");
  box?.click();
  return box !== null && box !== undefined;
}

// leave closes an edit, whose text is kept, or selects nothing.
export function leave(): boolean {
  const close = document.activeElement?.closest("[data-edit]")?.querySelector<HTMLElement>("[data-leave]");
  const clear = close ?? (document.querySelector(".pick:checked") && document.querySelector<HTMLElement>("[data-clear]"));
  clear?.click();
  return Boolean(clear);
}

// choose takes a moment of the open snooze menu by its number.
export function choose(number: number): boolean {
  const choice = document.querySelectorAll<HTMLElement>("details[open] [data-choice]")[number - 1];
  choice?.click();
  return choice !== undefined;
}

// undo takes back the last decision: the newest line on the page, else whatever
// was decided last.
export function undo(): boolean {
  undoNext = document.querySelector("#inbox .htmx-request") !== null;
  if (undoNext) return true; // it is what is being decided, once that is answered
  const last = document.querySelector<HTMLElement>("[data-newest-row] [data-undo]") ?? document.querySelector<HTMLElement>("[data-undo-last]");
  last?.click();
  return last !== null;
}

let undoNext = false;

// most is how many lines about decisions stay.
const most = 5;

// followActivities goes on to the next card after a decision, and copies texts.
export function followActivities(): void {
  // The next card has the focus before the answer is there: keys go on at once. An
  // accepted reply stays to be sent.
  document.addEventListener("htmx:config:request", (event) => {
    const ctx = contextOf(event);
    if (ctx?.request.method !== "POST" || !ctx.target?.matches("[data-activity]") || ctx.sourceElement.matches("[data-edit]")) return;
    if (ctx.request.submitter?.matches("[data-stays]")) return;
    const cards = [...document.querySelectorAll<HTMLElement>("[data-activity], #home-title")].filter((c) => c === ctx.target || !turns.has(c));
    const at = cards.indexOf(ctx.target as HTMLElement);
    (cards[at + 1] ?? cards[at - 1])?.focus();
    turns.set(ctx.target, ++turn);
    turns.set(ctx, turn);
    pending++;
  });
  announce(document.querySelector("[data-decided] [data-said]")?.textContent ?? ""); // a form led to a page
  recount();
  document.addEventListener("htmx:after:swap", recount);
  document.addEventListener("htmx:finally:request", (event) => {
    setTimeout(() => undoNext && undo());
    const ctx = contextOf(event);
    if (!ctx || !turns.has(ctx)) return;
    turns.delete(ctx.target ?? ctx);
    pending--;
  });
  document.addEventListener("htmx:after:swap", (event) => {
    const ctx = contextOf(event);
    const rows = [...document.querySelectorAll<HTMLElement>("[data-decided]")];
    const row = goOn() ?? rows.find((r) => r.id === ctx?.target?.id);
    const said = ctx?.response?.headers.get("Activities-Said");
    if (said) announce(said);
    // The newest is what was decided last, whichever answer comes last; a list that
    // is printed anew does not know.
    const its = (ctx && turns.get(ctx)) ?? newest;
    if (row && its >= newest) [newest, newestRow] = [its, row.id];
    for (const r of rows) r.toggleAttribute("data-newest-row", r.id === newestRow);
    if (!ctx || !row) return;
    order.push(row.id);
    if (order.length > most) document.getElementById(order.splice(Number(order[0] === newestRow), 1)[0] ?? "")?.closest("[data-decided]")?.remove();
    post()?.scrollIntoView({ block: "nearest" }); // what stood above it is lower now
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || !(event.target instanceof HTMLTextAreaElement)) return;
    event.target.form?.requestSubmit();
  });
  document.addEventListener("change", countPicked);
  document.addEventListener("click", ({ target }) => target instanceof Element && press(target));
}

const order: string[] = [];

// goOn says that the page shows another conversation, if an answer brought one,
// and returns the line about what was decided in the one before.
function goOn(): HTMLElement | null | undefined {
  const list = document.querySelector<HTMLElement>("#inbox[data-address]");
  if (!list) return undefined;
  history.replaceState(history.state, "", list.dataset.address);
  delete list.dataset.address;
  return list.querySelector<HTMLElement>("[data-decided]");
}

function countPicked(): void {
  const text = document.querySelector("[data-picked]");
  if (text) text.textContent = `${document.querySelectorAll(".pick:checked").length} selected`;
}

// recount takes what was decided from the count of its group. A list that is
// printed anew brings its counts, and has not noted what is shown of them.
function recount(): void {
  for (const group of document.querySelectorAll<HTMLElement>("#inbox .group")) {
    const count = group.querySelector("h2 .count");
    const shown = group.querySelectorAll("[data-activity]").length;
    const left = Number(count?.textContent) + shown - Number(group.dataset.shown ?? shown);
    if (count && left >= 0) count.textContent = String(left);
    group.dataset.shown = String(shown);
  }
}

// turns are the decisions on their way, and the cards they are about, in the order
// of the presses.
const turns = new WeakMap<object, number>();
let turn = 0;
let pending = 0;
let newest = 0;
let newestRow = "";

function press(target: Element): void {
  target.closest("[data-close-row]")?.closest("[data-decided]")?.remove();
  if (target.closest("[data-pick-all]")) {
    for (const box of document.querySelectorAll<HTMLInputElement>(".pick")) box.checked = true;
    countPicked();
  }
  const copy = target.closest<HTMLElement>("[data-copy-text]");
  const text = document.getElementById(copy?.dataset.copyText ?? "")?.textContent;
  if (!copy || !text) return;
  void copyText(copy, text, "Text copied");
  if (!("open" in copy.dataset)) return;
  const card = copy.closest("article");
  card?.querySelector<HTMLElement>("a[data-source]")?.click();
  const done = card?.querySelector(`[data-verb="done"]`);
  if (done) done.textContent = "Sent? Mark done";
}

// own is how long the answer to a decision of this page may come after the hint
// about it.
const own = 500;
const minute = 60_000;

// watchActivities shows the list as it is now, except a card that is in use, and
// keeps the count in the title. It adds to what listens for columns.
export function watchActivities(columns: Omit<Listener, "activities">): Listener {
  const inbox = (): HTMLElement | null => document.getElementById("inbox");
  let known = 0;
  let mine = 0; // the newest decision of this page
  const asked = new WeakMap<HtmxContext, number>(); // how many were pressed before
  let waiting = 0;
  let pressed = -2 * own;
  const renew = (): void => {
    const list = inbox();
    if (list) window.htmx.trigger(list, "renew");
  };
  const look = (): void => {
    const n = known - Number(inbox()?.dataset.revision ?? known);
    const busy = n > 0 && inbox()?.querySelector("[data-activity]:focus-within, [data-edit], details[open], .pick:checked");
    if (busy) label(n);
    else if (n > 0) renew();
    show("activities", Boolean(busy));
  };
  const heard = (revision: number): void => {
    if (revision <= known) return;
    known = revision;
    clearTimeout(waiting);
    waiting = window.setTimeout(look, performance.now() - pressed < 2 * own ? own : 0);
  };
  const ask = async (): Promise<void> => {
    const url = document.getElementById("stream")?.dataset.count;
    const answer = url && (await fetch(url).catch(() => undefined));
    if (!answer || !answer.ok) return;
    const { needsYou, revision } = (await answer.json()) as { needsYou: number; revision: number };
    document.title = (needsYou ? `(${needsYou}) ` : "") + document.title.replace(/^\(\d+\) /, "");
    heard(revision);
  };

  window.htmx.registerExtension("keep-used", {
    htmx_before_morph_node: (elt) => !elt.matches("[data-activity]:focus-within, [data-activity]:has([data-edit])"),
  });
  // Lines about decisions stay when the list is printed again.
  document.addEventListener("htmx:config:request", (event) => {
    const ctx = contextOf(event);
    if (ctx?.sourceElement.id !== "inbox") return;
    const url = new URL(ctx.request.action, location.href);
    url.searchParams.delete("decided");
    if (!document.querySelector("[data-batch]")) url.searchParams.delete("batch");
    document.querySelectorAll<HTMLElement>("#inbox :is([data-activity], [data-decided])").forEach((e, i) => {
      if (e.dataset.part) url.searchParams.append("decided", e.dataset.part.replace(/^\d+/, String(i)));
    });
    ctx.request.action = url.pathname + url.search;
    asked.set(ctx, pending ? -1 : turn);
  });
  // A list from before a decision that is shown already is not shown any more, nor
  // one that may lack the line about it.
  document.addEventListener("htmx:before:swap", (event) => {
    const ctx = contextOf(event);
    if (ctx?.sourceElement.id !== "inbox") return;
    if (Number(/data-revision="(\d+)"/.exec(ctx.text ?? "")?.[1] ?? mine) >= mine && asked.get(ctx) === turn) return;
    event.preventDefault();
    setTimeout(renew, pending ? own : 0);
  });
  document.addEventListener("submit", () => {
    pressed = performance.now();
    document.querySelector("[data-batch]:not(:has(form))")?.remove(); // what was taken back is said once
  });
  document.addEventListener("click", ({ target }) => {
    if (!(target instanceof Element) || !target.closest("[data-show-activities]")) return;
    show("activities", false);
    renew();
  });
  // A decision made here is shown already.
  document.addEventListener("htmx:after:swap", (event) => {
    const revision = Number(contextOf(event)?.response?.headers.get("Activities-Revision") ?? 0);
    const list = inbox();
    if (!list || !revision) return;
    mine = Math.max(mine, revision);
    const shown = Number(list.dataset.revision);
    if (revision > shown) list.dataset.revision = String(shown + 1);
    heard(revision);
  });
  setInterval(() => {
    if (document.hidden || document.documentElement.dataset.stream === "asking") void ask();
  }, minute);
  let reading = 0;
  const readOn = (): void => {
    clearTimeout(reading);
    const line = document.getElementById("reading");
    if (line) reading = window.setTimeout(() => window.htmx.trigger(line, "renew"), own);
  };
  return {
    ...columns,
    column(id) {
      columns.column(id);
      readOn();
    },
    activities(revision) {
      heard(revision);
      void ask();
    },
    missed(loaded) {
      columns.missed(loaded);
      readOn();
      void ask();
    },
  };
}

function label(n: number): void {
  const text = document.querySelector(`[data-bar="activities"] span`);
  if (text) text.textContent = n === 1 ? "1 change" : `${n} changes`;
}
