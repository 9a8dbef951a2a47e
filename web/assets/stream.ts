import { announce } from "./live";
import { holdTyped } from "./typed";

// StreamHint is the detail of an event of the stream.
interface StreamHint {
  deckId?: string;
  revision?: number;
  gone?: boolean;
  columnId?: string;
  id?: string;
  build?: string;
  seen?: string;
  reason?: string;
  by?: string;
}

// StreamState is how the page hears of changes: by the stream, by asking every
// minute, or not yet.
export type StreamState = "live" | "asking" | "";

// Listener is told what the stream says.
export interface Listener {
  state(now: StreamState): void;
  column(id: string): void;
  connection(id: string): void;
  activities(revision: number): void;
  // missed: something may have happened while nothing was heard; loaded says
  // that the page was only just made.
  missed(loaded: boolean): void;
}

const retryAfter = 30_000;

// followChanges keeps one stream open while the page is in view, and shows a bar
// when the page is not what it should be any more. It moves nothing.
export function followChanges(listener: Listener): void {
  const stream = document.getElementById("stream");
  if (!stream) return;
  let over = false; // signed out: nobody is asked again
  let first = true;
  let opening = false;
  let timer = 0;

  const open = (): void => {
    clearTimeout(timer);
    // Before htmx has seen the element nobody listens.
    if (over || opening || document.hidden || !stream.dataset.htmxPowered) return;
    opening = true;
    window.htmx.trigger(stream, "openstream");
  };
  const lost = (status: number): void => {
    if (status === 401) return end();
    listener.state("asking");
    show("silent", status === 0 || status >= 502);
  };
  const end = (): void => {
    over = true;
    stream.remove(); // which closes it for good
    listener.state("");
    signedOut();
  };

  on(stream, "hello", (hint, connection) => {
    // A tab that was hidden meanwhile must not hold the connection.
    if (document.hidden) return void connection?.reader?.cancel();
    show("silent", false);
    show("updated", hint.build !== stream.dataset.build);
    listener.state("live");
    if (!first || hint.seen !== stream.dataset.seen) listener.missed(first);
    first = false;
  });
  on(stream, "deck", (hint) => {
    if (hint.deckId === stream.dataset.deck) deckIsAt(hint.gone ? 0 : (hint.revision ?? 0), hint.by);
  });
  on(stream, "column", (hint) => hint.columnId && listener.column(hint.columnId));
  on(stream, "connection", (hint) => hint.id && listener.connection(hint.id));
  on(stream, "activities", (hint) => listener.activities(hint.revision ?? 0));
  on(stream, "bye", (hint) => hint.reason === "signed-out" && end());

  stream.addEventListener("htmx:sse:error", (event) => lost((event as CustomEvent).detail.status ?? 0));
  // The first answer was no stream: it is htmx's, and tried again from here.
  const refused = (event: Event): void => {
    const status = (event as CustomEvent<{ ctx?: HtmxContext }>).detail.ctx?.response?.status ?? 0;
    opening = false;
    if (status === 200) return;
    lost(status);
    if (!over) timer = window.setTimeout(open, retryAfter);
  };
  stream.addEventListener("htmx:after:request", refused);
  stream.addEventListener("htmx:error", refused);
  stream.addEventListener("htmx:sse:before:connection", (event) => {
    if (document.hidden) event.preventDefault();
  });
  // As long as there is a stream, htmx opens it again by itself.
  stream.addEventListener("htmx:sse:close", () => (opening = false));

  document.addEventListener("visibilitychange", () => (over ? comeBack(stream) : open()));
  // A page out of the back/forward cache has a dead stream.
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    listener.missed(false);
    open();
  });
  // htmx may look at the page only after this.
  document.addEventListener("htmx:after:process", open, { once: true });
  open();
}

// comeBack shows the page again once the person has signed in elsewhere.
async function comeBack(stream: HTMLElement): Promise<void> {
  if (document.hidden) return;
  const answer = await fetch(stream.getAttribute("hx-sse:connect") ?? "", { method: "HEAD" }).catch(() => undefined);
  if (answer?.ok) location.reload();
}

interface SseConnection {
  reader?: { cancel(): void };
}

function on(stream: HTMLElement, name: string, heard: (hint: StreamHint, connection?: SseConnection) => void): void {
  stream.addEventListener("htmx:sse:before:message", (event) => {
    const { message, connection } = (event as CustomEvent).detail;
    if (message.event === name) heard(JSON.parse(message.data) as StreamHint, connection);
  });
}

// own is how long the answer to a change that the page made itself may come after
// the hint about it.
const own = 500;
let waiting = 0;

// changes are the words for who has changed a deck.
const changes: Record<string, string> = {
  assistant: "An assistant changed this deck",
  person: "You changed this deck elsewhere",
};

// deckIsAt shows the bar when the page's deck is at another revision than the
// page; 0 is that it was deleted. by is who has changed it, if that is known.
export function deckIsAt(revision: number, by?: string): void {
  const text = document.querySelector(`[data-bar="changed"] span`);
  if (text && changes[by ?? ""]) text.textContent = changes[by ?? ""] ?? "";
  const differs = (): boolean => revision !== Number(document.getElementById("stream")?.dataset.revision);
  clearTimeout(waiting);
  show("gone", revision === 0);
  if (revision === 0 || !differs()) return show("changed", false);
  waiting = window.setTimeout(() => show("changed", differs()), own);
}

// signedOut says so, with the way back to this page, and covers what only the
// person may read: somebody else may sit there now.
export function signedOut(): void {
  holdTyped();
  if (!document.querySelector(`[data-bar="signed-out"]`)) return location.reload(); // to the sign-in
  show("silent", false);
  document.documentElement.classList.add("signed-out");
  show("signed-out", true);
  const link = document.querySelector<HTMLAnchorElement>("a[data-login]");
  if (link) link.search = `?next=${encodeURIComponent(nextPath(link))}`;
}

// show shows a bar or takes it away.
export function show(name: string, visible: boolean): void {
  const bar = document.querySelector<HTMLElement>(`[data-bar="${name}"]`);
  if (!bar || bar.hidden === !visible) return;
  bar.hidden = !visible;
  if (visible) announce(bar.querySelector("span")?.textContent ?? "");
}

// nextPath is where to come back to: this page, without the base path.
function nextPath(login: HTMLAnchorElement): string {
  const base = login.pathname.replace(/\/login$/, "");
  return location.pathname.slice(base.length) + location.search;
}
