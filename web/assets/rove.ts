// The keyboard's way through columns and posts: one post at a time has the
// focus, and is wholly in view.

// post is the post that has the focus, or in which something has it.
export function post(): HTMLElement | null {
  const inner = document.activeElement?.closest<HTMLElement>("article");
  return inner?.parentElement?.closest<HTMLElement>("article") ?? inner ?? null;
}

function columns(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>("[data-columns] > .column")];
}

// current is the column in use: the one with the focus, else the phone's.
function current(list: HTMLElement[]): HTMLElement | undefined {
  const shown = document.querySelector<HTMLAnchorElement>("a[data-tab][aria-current]")?.hash;
  return list.find((c) => c.contains(document.activeElement)) ?? list.find((c) => `#${c.id}` === shown);
}

// columnAt goes to a column by its place.
export function columnAt(index: number): boolean {
  const column = columns()[index];
  if (!column) return false;
  (column.querySelector<HTMLElement>(".scroller") ?? column).focus({ preventScroll: true });
  column.scrollIntoView({ block: "nearest", inline: "nearest" });
  return true;
}

// besides goes to the column next to the current one; from a post to the one
// that stands at its height.
export function besides(by: number): boolean {
  const list = columns();
  const here = current(list);
  const index = here ? list.indexOf(here) + by : 0;
  const column = list[index];
  if (!column) return false;
  const from = post();
  if (!from || !columnAt(index)) return columnAt(index);
  const top = from.getBoundingClientRect().top;
  const near = posts(column).sort((a, b) => distance(a, top) - distance(b, top))[0];
  if (near) focus(near);
  return true;
}

function distance(article: Element, top: number): number {
  return Math.abs(article.getBoundingClientRect().top - top);
}

// stepFrom goes to the next post or the one before; first to the topmost that is
// in view, and in a conversation that was opened to its first reply.
export function stepFrom(by: number): boolean {
  const list = columns();
  const scope = current(list) ?? list[0] ?? document.querySelector("main");
  if (!scope) return false;
  const all = posts(scope);
  const from = post();
  const at = from ? all.indexOf(from) : -1;
  const next = at < 0 ? (all.find((a) => a.matches(".opened [data-activity]")) ?? all.find((a) => bottom(a) > edge(a)) ?? all[0]) : all[at + by];
  if (next) focus(next);
  else document.querySelector<HTMLElement>(`[data-step="${by}"]`)?.click(); // one card at a time
  return all.length > 0;
}

function posts(scope: Element): HTMLElement[] {
  return [...scope.querySelectorAll<HTMLElement>("article:not(article article)")].filter((a) => a.checkVisibility());
}

function bottom(article: Element): number {
  return article.getBoundingClientRect().bottom;
}

// edge is where the part begins in which an article can be seen.
function edge(article: Element): number {
  return article.closest(".scroller")?.getBoundingClientRect().top ?? 0;
}

function focus(article: HTMLElement): void {
  if (!article.hasAttribute("tabindex")) article.tabIndex = -1;
  article.focus({ preventScroll: true });
  reveal(article);
  // Its height, and that of those before it, is settled once they are drawn.
  requestAnimationFrame(() => document.activeElement === article && reveal(article));
}

// reveal shows all of a post, or its beginning when it is taller than the room.
function reveal(article: HTMLElement): void {
  const room = article.closest(".scroller")?.clientHeight ?? innerHeight;
  article.scrollIntoView({ block: article.offsetHeight > room ? "start" : "nearest", inline: "nearest" });
}

// openPost follows a link of the current post.
export function openPost(link: string): boolean {
  const target = post()?.querySelector<HTMLElement>(link);
  target?.click();
  return target !== null && target !== undefined;
}
