import { contextOf, isRead, say } from "./columns";
import { deckIsAt, signedOut } from "./stream";
import type { Listener, StreamState } from "./stream";

// announce tells a screen reader what changed, through the one live region of
// the page.
export function announce(text: string): void {
  const region = document.getElementById("announcer");
  if (region) region.textContent = text;
}

const quiet = 30_000;
let said = -quiet;

// announceNews says that posts came, at most once in half a minute.
export function announceNews(column: Element, posts: number): void {
  if (performance.now() - said < quiet) return;
  said = performance.now();
  announce(`${column.querySelector("h2")?.textContent ?? ""}: ${posts} new ${posts === 1 ? "post" : "posts"}`);
}

const minute = 60_000;
const stagger = 150;
// soon is when a page that asks looks for what its question has brought.
const soon = 5_000;
// idle is how long a column must be left alone before what it holds is shown.
const idle = 2_000;

function columns(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>("section.column[id]")];
}

// look prints a column again from the store. Further wishes while an answer is
// awaited fall together.
function look(column: Element): void {
  const news = column.querySelector(":scope > .news");
  if (news) window.htmx.trigger(news, "news");
}

// watchColumns prints columns again when there is something new, and shows how
// the page hears of that.
export function watchColumns(): Omit<Listener, "activities"> {
  let state: StreamState = "";
  let timer = 0;
  const ask = (): void => {
    if (document.hidden) return;
    columns().forEach((column, i) => {
      setTimeout(() => look(column), i * stagger);
      setTimeout(() => look(column), soon + i * stagger);
    });
  };

  document.addEventListener("htmx:after:swap", () => mark(state));
  document.addEventListener("htmx:before:response", (event) => answered(contextOf(event)));
  document.addEventListener("htmx:error", (event) => {
    const ctx = contextOf(event);
    if (ctx) say(ctx.sourceElement, "The workspace does not answer");
  });
  setInterval(release, idle);

  return {
    state(now) {
      if (now === state) return;
      state = now;
      document.documentElement.dataset.stream = now;
      mark(now);
      clearInterval(timer);
      if (now === "asking") timer = window.setInterval(ask, minute);
    },
    column(id) {
      const column = document.getElementById(`column-${id}`);
      if (column) look(column);
    },
    connection(id) {
      columns().forEach((column) => column.dataset.connection === id && look(column));
    },
    missed(loaded) {
      columns().forEach((column) => {
        // One that is being loaded is printed anyway.
        if (!loaded || !column.querySelector(":scope > .loader[hx-get]")) look(column);
      });
    },
  };
}

// mark says how a column that is well hears of news.
function mark(state: StreamState): void {
  const text = { live: "Live", asking: "Every 60 s", "": "" }[state];
  for (const chip of document.querySelectorAll<HTMLElement>(".state[data-live]")) {
    let mode = chip.querySelector(".mode");
    if (!text) {
      mode?.remove();
      continue;
    }
    if (!mode) {
      mode = document.createElement("span");
      mode.className = "mode";
      chip.append(mode);
    }
    if (mode.textContent !== text) mode.textContent = text;
  }
}

// answered looks at an answer about a column before it is drawn. What is no
// column is never drawn in one, and nobody is sent to sign in by a request that
// the page made by itself.
function answered(ctx: HtmxContext | undefined): void {
  const byItself = ctx?.sourceElement.matches("#inbox, #reading, [data-autosave]");
  if (!(byItself || ctx?.target?.closest("section.column")) || !ctx?.response || !ctx.hx) return;
  const revision = ctx.response.headers.get("Deck-Revision");
  if (revision !== null) deckIsAt(Number(revision));
  const { status } = ctx.response;
  if (status < 400 || (status !== 401 && ctx.sourceElement.closest("[data-task]"))) return;
  ctx.swap = "none";
  if (status === 401) {
    ctx.hx.redirect = undefined;
    signedOut();
    return;
  }
  if (status !== 404) say(ctx.sourceElement, "The workspace failed; reload the page");
}

// release shows what columns hold that nobody reads any more.
function release(): void {
  for (const button of document.querySelectorAll<HTMLElement>("button[data-held]")) {
    const column = button.closest<HTMLElement>("section.column");
    if (column && !column.dataset.top && !isRead(column)) button.click();
  }
}
