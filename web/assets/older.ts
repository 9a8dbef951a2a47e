import { announce } from "./live";
import { columnOf, contextOf, firstVisible, most, pin, postsOf, scrollerOf, stay } from "./columns";

// readOn loads the older posts of a column by itself when its end is near, puts
// the focus where reading goes on, and keeps a column from growing for ever.
export function readOn(): void {
  watchEnds(document);
  document.addEventListener("htmx:before:swap", (event) => before(contextOf(event)));
  document.addEventListener("htmx:after:swap", (event) => {
    const ctx = contextOf(event);
    const column = columnOf(ctx) ?? ctx?.target?.closest<HTMLElement>("section.column");
    watchEnds(document.getElementById(column?.id ?? "") ?? document);
    if (ctx) after(ctx);
  });
}

const watched = new WeakSet<Element>();

// watchEnds presses "Older posts" once the link is less than a screen away from
// a reader who has scrolled. Where that just failed, the reader presses it.
function watchEnds(root: ParentNode): void {
  for (const link of root.querySelectorAll<HTMLElement>(".tail a[hx-get]")) {
    const scroller = link.closest<HTMLElement>(".scroller");
    if (!scroller || watched.has(link) || link.closest(".tail")?.querySelector(".panel")) continue;
    watched.add(link);
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!link.isConnected) return observer.disconnect();
        // Who stands on the link presses it: the focus must not jump by itself.
        if (!entry?.isIntersecting || link === document.activeElement) return;
        if (scroller.scrollTop === 0) return void scroller.addEventListener("scroll", again, { once: true });
        observer.disconnect();
        window.htmx.trigger(link, "click");
      },
      { root: scroller, rootMargin: "0px 0px 100% 0px" },
    );
    const again = (): void => {
      observer.unobserve(link);
      observer.observe(link);
    };
    observer.observe(link);
  }
}

// End is where a column ended before older posts came.
interface End {
  last?: Element | null;
  focused: boolean;
}

const ends = new WeakMap<HtmxContext, End>();

function tailOf(ctx: HtmxContext | undefined): Element | undefined {
  return ctx?.target?.matches(".tail") ? ctx.target : undefined;
}

function before(ctx: HtmxContext | undefined): void {
  const tail = tailOf(ctx);
  const column = tail?.closest("section.column");
  if (!ctx || !tail || !column) return;
  stay(scrollerOf(column));
  ends.set(ctx, { last: postsOf(column).at(-1), focused: tail.contains(document.activeElement) });
}

function after(ctx: HtmxContext): void {
  const end = ends.get(ctx);
  const column = end?.last?.closest<HTMLElement>("section.column");
  if (!end || !column) return;
  const posts = postsOf(column);
  const come = posts.slice(posts.indexOf(end.last as HTMLElement) + 1);
  if (end.focused) {
    announce(`${come.length} older ${come.length === 1 ? "post" : "posts"}`);
    come[0]?.focus();
  }
  trim(column, posts);
}

// trim removes the newest posts of a column that has too many, but none that is
// near or in use, and leaves the way back to them.
function trim(column: HTMLElement, posts: HTMLElement[]): void {
  const scroller = scrollerOf(column);
  if (!scroller || posts.length <= most) return;
  const first = firstVisible(scroller, posts);
  const place = { id: first?.id ?? "", top: first?.getBoundingClientRect().top ?? 0 };
  const edge = scroller.getBoundingClientRect().top - 3 * scroller.clientHeight;
  const selected = getSelection();
  const gone = posts.slice(0, posts.length - most).filter((p) => {
    const used = p.contains(document.activeElement) || (!selected?.isCollapsed && selected?.containsNode(p, true));
    return p.getBoundingClientRect().bottom < edge && !used;
  });
  const last = gone.at(-1);
  const newest = posts[0];
  if (!last || !newest) return;
  column.dataset.top ??= newest.id;
  // What stands between them, such as a gap, goes too.
  while (last.previousElementSibling) last.previousElementSibling.remove();
  last.remove();
  offerNewest(column, scroller);
  pin(scroller, place);
  requestAnimationFrame(() => requestAnimationFrame(() => pin(scroller, place)));
}

// offerNewest leaves the way back to the newest posts, which are not on the page
// any more.
function offerNewest(column: HTMLElement, scroller: HTMLElement): void {
  const news = column.querySelector(":scope > .news");
  if (!news || scroller.querySelector("[data-newest]")) return;
  const link = document.createElement("a");
  link.href = column.querySelector<HTMLAnchorElement>("h2 a")?.href ?? "";
  link.textContent = "Newest posts";
  link.dataset.newest = "";
  for (const name of ["hx-get", "hx-target", "hx-swap"]) link.setAttribute(name, news.getAttribute(name) ?? "");
  const row = document.createElement("p");
  row.className = "more";
  row.append(link);
  scroller.prepend(row);
  window.htmx.process(row);
}
