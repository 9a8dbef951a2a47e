import { stay } from "./columns";

// Where the reader was on a page: for every part that scrolls the first post in
// view and how far it stands from the top, and the post that had the keyboard.
interface Places {
  tops: Record<string, [post: string, top: number]>;
  focus: string;
}

const store = "places";
const most = 10; // pages whose places are kept
const deepest = 4; // parts of older posts that are loaded to find one

// returnToPlaces brings the reader back to where they were when a page is opened
// again in the same tab, whichever way led to it, but not who asked for the newest
// posts. A browser that has kept the page itself does that alone.
export function returnToPlaces(): void {
  let newest = false;
  document.addEventListener("click", ({ target }) => (newest = target instanceof Element && target.closest("a[data-newest]") !== null));
  addEventListener("pagehide", () => save(newest));
  document.addEventListener("htmx:before:swap", (event) => hold(event));
  const places = saved()[location.pathname];
  if (!places) return;
  focus(places);
  const lost = Object.keys(places.tops).filter((id) => !found(id, places));
  // Before htmx has seen the page its links lead away.
  document.addEventListener("htmx:after:process", () => lost.forEach((id) => search(id, places, deepest)), { once: true });
}

function saved(): Record<string, Places> {
  try {
    return JSON.parse(sessionStorage.getItem(store) ?? "{}") as Record<string, Places>;
  } catch {
    return {};
  }
}

// save keeps where the reader is, or for a page that is left for its newest posts
// that it begins at its top.
function save(newest: boolean): void {
  // Such a page has no place, and its address may be a secret: a set-up link.
  if (document.documentElement.classList.contains("plain")) return;
  const tops: Places["tops"] = {};
  for (const part of document.querySelectorAll<HTMLElement>(".scroller[id]")) {
    const edge = part.getBoundingClientRect().top;
    const first = [...part.querySelectorAll("article")].find((a) => a.getBoundingClientRect().bottom > edge);
    if (first && part.scrollTop > 0 && !newest) tops[part.id] = [first.id, Math.round(first.getBoundingClientRect().top - edge)];
  }
  const active = document.activeElement;
  const focus = (active?.matches(":focus-visible") && active.closest("article")?.id) || "";
  const { [location.pathname]: _, ...others } = saved();
  const all = { ...others, [location.pathname]: { tops, focus } };
  try {
    sessionStorage.setItem(store, JSON.stringify(Object.fromEntries(Object.entries(all).slice(-most))));
  } catch {
    // Without storage the page opens at its top.
  }
}

// focus gives the keyboard back to a post, but not when the address led to another.
function focus(places: Places): void {
  const [way] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  if (way?.type === "navigate" && document.querySelector("[autofocus]")) return;
  if (places.focus && document.activeElement === document.body) document.getElementById(places.focus)?.focus({ preventScroll: true });
}

// found moves a part to its place and reports whether the post is there.
function found(id: string, places: Places): boolean {
  const part = document.getElementById(id);
  const [post, top] = places.tops[id] ?? ["", 0];
  if (!part || !document.getElementById(post)) return false;
  move(part, post, top);
  focus(places);
  // Heights settle when skipped boxes are first drawn.
  requestAnimationFrame(() => requestAnimationFrame(() => move(part, post, top)));
  return true;
}

// search loads older posts, or waits for what is on its way, until the post is
// there.
function search(id: string, places: Places, tries: number): void {
  if (found(id, places) || !tries) return;
  const part = document.getElementById(id);
  const older = part?.querySelector<HTMLElement>(".tail a[hx-get]");
  if (!part || !(older ?? part.querySelector(".loader"))) return;
  document.addEventListener("htmx:after:swap", () => search(id, places, tries - 1), { once: true });
  older?.click();
}

function move(part: Element, post: string, top: number): void {
  const at = document.getElementById(post);
  if (at) part.scrollTop += at.getBoundingClientRect().top - part.getBoundingClientRect().top - top;
}

// hold keeps the post in its place when what it answers comes in above it.
function hold(event: Event): void {
  const ctx = (event as CustomEvent<{ ctx?: HtmxContext }>).detail?.ctx;
  const part = ctx?.target?.id === "thread" && ctx.target.closest(".scroller");
  if (!part) return;
  stay(part);
  const top = () => document.getElementById("post")?.getBoundingClientRect().top ?? 0;
  const before = top();
  document.addEventListener("htmx:after:swap", () => (part.scrollTop += top() - before), { once: true });
}
