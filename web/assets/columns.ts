import { announce } from "./live";
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
  document.addEventListener("htmx:config:request", (event) => askForAll(contextOf(event)));
  document.addEventListener("htmx:before:swap", (event) => remember(contextOf(event)));
  document.addEventListener("htmx:after:swap", (event) => restore(contextOf(event)));
  document.addEventListener("htmx:error", (event) => unreachable(contextOf(event)));
}

function contextOf(event: Event): HtmxContext | undefined {
  return (event as CustomEvent<{ ctx?: HtmxContext }>).detail?.ctx;
}

function columnOf(ctx: HtmxContext | undefined): HTMLElement | null {
  const target = ctx?.target;
  return target instanceof HTMLElement && target.matches("section.column") ? target : null;
}

// The posts of a page, and the most that a column is printed with.
const page = 20;
const most = 100;

// askForAll asks for as many posts as the column shows, and for room for new
// ones while it is read: nothing that is on the page must vanish.
function askForAll(ctx: HtmxContext | undefined): void {
  const column = columnOf(ctx);
  if (!ctx || !column) return;
  const scroller = column.querySelector(".scroller");
  const shown = column.querySelectorAll("article.post").length;
  const rows = shown + (scroller && isRead(column, scroller) ? page : 0);
  const url = new URL(ctx.request.action, location.href);
  if (rows > page) url.searchParams.set("rows", String(Math.min(rows, most)));
  ctx.request.action = url.pathname + url.search;
}

function remember(ctx: HtmxContext | undefined): void {
  const column = columnOf(ctx);
  const scroller = column?.querySelector(".scroller");
  if (!ctx || !column || !scroller) return;
  const posts = [...column.querySelectorAll<HTMLElement>("article.post")];
  const edge = scroller.getBoundingClientRect().top;
  const first = posts.find((p) => p.getBoundingClientRect().bottom > edge);
  places.set(ctx, {
    id: isRead(column, scroller) ? (first?.id ?? "") : "",
    top: first ? first.getBoundingClientRect().top : 0,
    ids: new Set(posts.map((p) => p.id)),
  });
}

// A column is being read when it is not at its top, or when the pointer, the
// focus or a selection is in it.
function isRead(column: Element, scroller: Element): boolean {
  const selection = getSelection();
  return (
    scroller.scrollTop > 16 ||
    column.matches(":hover") ||
    column.contains(document.activeElement) ||
    (selection !== null && !selection.isCollapsed && column.contains(selection.anchorNode))
  );
}

function restore(ctx: HtmxContext | undefined): void {
  const place = ctx && places.get(ctx);
  if (!place) return;
  const column = document.getElementById(ctx.target?.id ?? "");
  const scroller = column?.querySelector(".scroller");
  if (!column || !scroller) return;
  offerCopying(column);
  const fresh = [...column.querySelectorAll("article.post")].filter((p) => !place.ids.has(p.id)).length;
  if (fresh > 0 && place.ids.size > 0) {
    const name = column.querySelector("h2")?.textContent ?? "";
    announce(`${name}: ${fresh} new ${fresh === 1 ? "post" : "posts"}`);
  }
  pin(scroller, place);
  // Heights settle when skipped boxes are first drawn.
  requestAnimationFrame(() => requestAnimationFrame(() => pin(scroller, place)));
}

function pin(scroller: Element, place: Place): void {
  const post = place.id && document.getElementById(place.id);
  if (post) scroller.scrollTop += post.getBoundingClientRect().top - place.top;
}

function unreachable(ctx: HtmxContext | undefined): void {
  const state = ctx?.sourceElement.closest("section.column")?.querySelector(".state");
  if (!state) return;
  state.className = "state state-warn";
  state.textContent = "The workspace does not answer";
}
