// followTabs marks the tab of the column that is in view, and keeps it in the
// address, so that a reload opens the same one. Where one column is shown at a
// time only it and its neighbours ask for news.
export function followTabs(): void {
  const columns = document.querySelector("[data-columns]");
  const tabs = [...document.querySelectorAll<HTMLAnchorElement>("a[data-tab]")];
  if (!columns || tabs.length === 0) return;
  const inView = new Set<string>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const e of entries) {
        if (e.isIntersecting) inView.add(e.target.id);
        else inView.delete(e.target.id);
      }
      mark(tabs, inView);
      catchUp();
    },
    { root: columns, threshold: 0.6 },
  );
  for (const column of columns.children) observer.observe(column);
  document.addEventListener("htmx:before:request", (event) => {
    const { sourceElement } = (event as CustomEvent<{ ctx: HtmxContext }>).detail.ctx;
    const column = sourceElement.closest<HTMLElement>("[data-columns] > .column");
    if (!column || !sourceElement.matches(".loader, .news") || isNear(column)) return;
    event.preventDefault();
    column.dataset.far = "";
  });
}

// isNear reports whether a column is in view or next to the one that is, where
// one is shown at a time; of columns side by side each is.
function isNear(column: HTMLElement): boolean {
  const list = column.parentElement;
  if (!list || column.offsetWidth * 2 <= list.clientWidth) return true;
  const shown = Math.round(list.scrollLeft / column.offsetWidth);
  return Math.abs([...list.children].indexOf(column) - shown) <= 1;
}

// catchUp lets the columns that come near ask for the news that they did not ask
// for while they were far.
function catchUp(): void {
  for (const column of document.querySelectorAll<HTMLElement>(".column[data-far]")) {
    if (!isNear(column)) continue;
    delete column.dataset.far;
    const loader = column.querySelector(":scope > .loader[hx-get]");
    if (loader) void window.htmx.ajax("GET", loader.getAttribute("hx-get") ?? "", { source: loader, target: column, swap: "outerMorph" });
    else window.htmx.trigger(column.querySelector(":scope > .news") ?? column, "news");
  }
}

// One column in view means the phone's layout; side by side no tab is special.
function mark(tabs: HTMLAnchorElement[], inView: Set<string>): void {
  const current = inView.size === 1 ? [...inView][0] : undefined;
  for (const tab of tabs) {
    if (tab.hash !== `#${current}`) {
      tab.removeAttribute("aria-current");
      continue;
    }
    if (tab.hasAttribute("aria-current")) continue;
    tab.setAttribute("aria-current", "true");
    reveal(tab);
    history.replaceState(history.state, "", tab.hash);
  }
}

// reveal scrolls the strip of tabs alone: scrollIntoView would move the page.
function reveal(tab: HTMLElement): void {
  const strip = tab.closest("nav");
  if (!strip) return;
  const box = tab.getBoundingClientRect();
  const around = strip.getBoundingClientRect();
  if (box.left < around.left) strip.scrollLeft += box.left - around.left;
  if (box.right > around.right) strip.scrollLeft += box.right - around.right;
}
