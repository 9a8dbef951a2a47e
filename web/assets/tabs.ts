// followTabs marks the tab of the column that is in view, and keeps it in the
// address, so that a reload opens the same one.
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
    },
    { root: columns, threshold: 0.6 },
  );
  for (const column of columns.children) observer.observe(column);
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
