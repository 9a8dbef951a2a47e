import { announce, announceNews } from "./live";
import { offerCopying } from "./copy";

// Place is the first visible post of a column and how far it stands from the
// column's top.
interface Place {
  id: string;
  top: number;
  ids: Set<string>;
}

const places = new WeakMap<HtmxContext, Place>();

// keepPlaces prints columns again without moving the post that is being read,
// and says what came.
export function keepPlaces(): void {
  document.addEventListener("htmx:config:request", (event) => askFor(contextOf(event)));
  document.addEventListener("htmx:before:swap", (event) => {
    const ctx = contextOf(event);
    if (ctx && ctx.request.method !== "GET") changes++;
    if (isOutrun(ctx)) return askAgain(event);
    remember(ctx);
  });
  document.addEventListener("htmx:after:swap", (event) => restore(contextOf(event)));
}

export function contextOf(event: Event): HtmxContext | undefined {
  return (event as CustomEvent<{ ctx?: HtmxContext }>).detail?.ctx;
}

export function columnOf(ctx: HtmxContext | undefined): HTMLElement | null {
  const target = ctx?.target;
  return target instanceof HTMLElement && target.matches("section.column") ? target : null;
}

export function scrollerOf(column: Element): HTMLElement | null {
  return column.querySelector(".scroller");
}

export function postsOf(column: Element): HTMLElement[] {
  return [...column.querySelectorAll<HTMLElement>("article.post")];
}

// The posts of a page, and the most that a column has.
const page = 20;
export const most = 100;
// edge is how far from its top a column still counts as at it.
const edge = 16;

// askFor asks for as many posts as the column shows, and for room for new ones
// while it is read: nothing that is on the page must vanish. Of a column that is
// read while the page asks by itself, and of one whose newest posts are not on the
// page, it asks only how many are new.
function askFor(ctx: HtmxContext | undefined): void {
  const column = columnOf(ctx);
  if (!ctx || !column || ctx.request.method !== "GET") return;
  if (ctx.sourceElement.matches("[data-newest]")) return void restarts.add(ctx);
  const posts = postsOf(column);
  const url = new URL(ctx.request.action, location.href);
  const byItself = ctx.sourceElement.matches(".news, .loader");
  const newest = column.dataset.top ?? (byItself && isRead(column) ? posts[0]?.id : undefined);
  const held = Number((ctx.sourceElement as HTMLElement).dataset.held ?? 0);
  if (held && isFarBelow(column, posts, held)) return void restarts.add(ctx);
  // Who presses at the top wants to see them.
  if (held && isAtTop(column)) restarts.add(ctx);
  if (newest) url.searchParams.set("held", newest);
  asked.set(ctx, { posts: newest ? Infinity : posts.length, changes });
  const room = held || (isRead(column) ? page : 0);
  const rows = column.dataset.top ? 0 : posts.length + room;
  if (rows > page) url.searchParams.set("rows", String(Math.min(rows, most)));
  if (ctx.sourceElement.matches(".news") && document.documentElement.dataset.stream === "asking") url.searchParams.set("news", "ask");
  ctx.request.action = url.pathname + url.search;
}

// asked is how things stood when a column was asked for: how many posts it had,
// and how often the person had changed something on this page.
const asked = new WeakMap<HtmxContext, { posts: number; changes: number }>();
let changes = 0;

// isOutrun reports whether older posts came, or the person changed something, while
// a column was asked for: the answer knows nothing of that and would undo it.
function isOutrun(ctx: HtmxContext | undefined): boolean {
  const then = ctx && asked.get(ctx);
  const column = columnOf(ctx);
  if (!then || !column || restarts.has(ctx)) return false;
  return changes > then.changes || postsOf(column).length > then.posts;
}

function askAgain(event: Event): void {
  event.preventDefault();
  const news = columnOf(contextOf(event))?.querySelector(":scope > .news");
  if (news) window.htmx.trigger(news, "news");
}

// pressed are requests whose button has the focus, and is gone after them.
const pressed = new WeakSet<HtmxContext>();

// restarts are requests after which a column begins at its newest post again.
const restarts = new WeakSet<HtmxContext>();

// isFarBelow reports whether a column cannot hold its new posts and also those
// that are read.
function isFarBelow(column: HTMLElement, posts: HTMLElement[], news: number): boolean {
  const scroller = scrollerOf(column);
  const first = scroller && firstVisible(scroller, posts);
  return column.dataset.top !== undefined || (first instanceof HTMLElement && posts.indexOf(first) + news + page > most);
}

function remember(ctx: HtmxContext | undefined): void {
  const column = columnOf(ctx);
  const scroller = column && scrollerOf(column);
  if (!ctx || !scroller) return;
  const restart = restarts.has(ctx);
  if (restart) scroller.scrollTop = 0;
  stay(scroller);
  const posts = postsOf(column);
  const first = firstVisible(scroller, posts);
  if (document.activeElement?.matches("[data-held]") && column.contains(document.activeElement)) pressed.add(ctx);
  places.set(ctx, {
    id: !restart && isRead(column) ? (first?.id ?? "") : "",
    top: first ? first.getBoundingClientRect().top : 0,
    ids: new Set(posts.map((p) => p.id)),
  });
}

export function firstVisible(scroller: Element, posts: HTMLElement[]): HTMLElement | undefined {
  const edge = scroller.getBoundingClientRect().top;
  return posts.find((p) => p.getBoundingClientRect().bottom > edge);
}

// The row of held posts takes room from the posts, which are scrolled by that: a
// column at its top is still there then.
function isAtTop(column: Element): boolean {
  const row = column.querySelector<HTMLElement>(".held");
  return (scrollerOf(column)?.scrollTop ?? 0) <= edge + (row?.offsetHeight ?? 0);
}

// A column is being read when it is not at its top, when the pointer, the focus,
// a selection or an open menu is in it, and when nobody sees what comes.
export function isRead(column: HTMLElement): boolean {
  const selection = getSelection();
  return (
    !isAtTop(column) ||
    (column.matches(":hover") && matchMedia("(hover: hover)").matches) ||
    column.contains(document.activeElement) ||
    (selection !== null && !selection.isCollapsed && column.contains(selection.anchorNode)) ||
    column.querySelector("details.menu[open]") !== null ||
    column.querySelector(".state[data-paused]") !== null ||
    document.hidden
  );
}

function restore(ctx: HtmxContext | undefined): void {
  const place = ctx && places.get(ctx);
  if (!place) return;
  const column = document.getElementById(ctx.target?.id ?? "");
  const scroller = column && scrollerOf(column);
  if (!scroller) return;
  offerCopying(column);
  const fresh = postsOf(column).filter((p) => !place.ids.has(p.id)).length;
  if (fresh > 0 && place.ids.size > 0) announceNews(column, fresh);
  pin(scroller, place);
  if (restarts.has(ctx) && pressed.has(ctx)) scroller.focus({ preventScroll: true });
  if (fresh > 0 && place.id) {
    offerTop(column, scroller, pressed.has(ctx));
    pin(scroller, place);
  }
  // Heights settle when skipped boxes are first drawn.
  requestAnimationFrame(() => requestAnimationFrame(() => pin(scroller, place)));
}

// stay makes the browser hold on to what is in view now. At the end of a column
// boxes turn out smaller than was thought, and with more room it would go back to
// where it stood before; only scrolling makes it forget that.
export function stay(scroller: Element | null): void {
  const top = scroller?.scrollTop;
  if (!scroller || !top) return;
  scroller.scrollTop = top - 1;
  scroller.scrollTop = top;
}

export function pin(scroller: Element, place: { id: string; top: number }): void {
  const post = place.id && document.getElementById(place.id);
  if (!post) return;
  const off = (): number => post.getBoundingClientRect().top - place.top;
  scroller.scrollTop += off();
  if (off() <= 1) return;
  scroller.classList.add("roomy");
  scroller.scrollTop += off();
}

// offerTop leaves a way to the posts that were put above the reader's, where
// they are not to be seen.
function offerTop(column: Element, scroller: HTMLElement, pressed: boolean): void {
  const row = column.querySelector(".held");
  if (!row || scroller.scrollTop <= edge) return;
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Go to the newest";
  button.onclick = () => {
    button.remove();
    scroller.scrollTop = 0;
    scroller.focus({ preventScroll: true });
  };
  row.replaceChildren(button);
  if (pressed) button.focus({ preventScroll: true });
}

// say tells in the column's state what went wrong with a request about it.
export function say(element: Element, text: string): void {
  if (element.matches("[data-autosave]")) element.textContent = `${text}; what you typed is not kept`;
  const state = element.closest("section.column")?.querySelector<HTMLElement>(".state");
  if (!state) return;
  state.className = "state state-warn";
  delete state.dataset.live;
  state.textContent = text;
  announce(text);
}
