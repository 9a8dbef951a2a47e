import { contextOf } from "./columns";
import { deckIsAt } from "./stream";

// patchDecks finishes what a menu has changed on the page of a deck: the order of
// its columns, its name, its address, and which revision it shows. A press beside
// a menu closes it, and so does an answer that nothing was done.
export function patchDecks(): void {
  document.addEventListener("click", (event) => {
    closeMenus(event.target);
    dismiss(event);
  });
  forgetUndo();
  let shown = "";
  document.addEventListener("htmx:after:swap", (event) => {
    const stream = document.getElementById("stream");
    const change = document.querySelector<HTMLElement>("[data-deck-changed]");
    shown = change?.dataset.revision ?? (shown || (stream?.dataset.revision ?? ""));
    if (change) {
      change.remove();
      closeMenus();
      if (stream) stream.dataset.revision = shown;
      deckIsAt(Number(shown));
      const { order = "", address, title } = change.dataset;
      if (title) document.title = title;
      if (address) history.replaceState(history.state, "", address + location.hash);
      arrange(order.split(" ").flatMap((id) => document.getElementById(id) ?? []));
      // What was undoable before this change is not any more.
      dropRows(`undo-${shown}`);
    } else if (contextOf(event)?.target?.id === "deck-notice") {
      closeMenus();
      document.querySelector<HTMLElement>("#deck-notice [autofocus]")?.focus();
    }
    if (shown) keepRevision(shown);
    nameTabs();
  });
}

// forgetUndo takes the row of a removed column off the page's address: it is shown
// once, not again by a reload.
function forgetUndo(): void {
  const url = new URL(location.href);
  if (!url.searchParams.has("undo")) return;
  url.searchParams.delete("undo");
  history.replaceState(history.state, "", url);
}

// dropRows takes away the rows of removed columns but for one. A deck that shows
// nothing else then is loaded again.
function dropRows(kept?: string): void {
  for (const row of document.querySelectorAll(".undo-column")) if (row.id !== kept) row.remove();
  if (document.querySelector("[data-columns]:not(:has(> section))")) location.reload();
}

// dismiss takes an undo row away in place of asking for the deck again.
function dismiss(event: Event): void {
  const row = (event.target as Element).closest("[data-dismiss]")?.closest(".undo-column");
  const next = (row?.nextElementSibling ?? row?.previousElementSibling)?.querySelector<HTMLElement>("summary");
  if (!row || !next) return;
  event.preventDefault();
  row.remove();
  next.focus();
}

// nameTabs gives the ways to the columns their names: that of a list may come with
// its first posts.
function nameTabs(): void {
  for (const tab of document.querySelectorAll<HTMLAnchorElement>("a[data-tab]")) {
    const name = document.querySelector(`${tab.hash} h2`)?.textContent?.trim();
    const label = tab.querySelector(".tab-name");
    if (name && label && label.textContent !== name) label.textContent = name;
  }
}

// keepRevision lets every menu speak of the deck that the page shows, also after
// a column was printed again from a newer one. What says so already is not touched:
// an update of one column must leave the others alone.
function keepRevision(shown: string): void {
  for (const input of document.querySelectorAll<HTMLInputElement>("input[name=revision]")) {
    if (input.value !== shown && !input.closest("#deck-notice")) input.value = shown;
  }
}

// closeMenus closes the menus that are open, but for the one that holds kept. The
// cursor does not stay in what is closed.
function closeMenus(kept?: EventTarget | null): void {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>("details.menu[open]")) {
    if (kept instanceof Node && menu.contains(kept)) continue;
    if (menu.contains(document.activeElement)) menu.querySelector("summary")?.focus();
    menu.open = false;
  }
}

// arrange puts the columns in an order. A column that is taken out and put back
// forgets how far it was scrolled, and what had the focus in it.
function arrange(columns: HTMLElement[]): void {
  const focus = document.activeElement;
  const places = columns.map((c) => [c.querySelector(".scroller"), c.querySelector(".scroller")?.scrollTop ?? 0] as const);
  let next: HTMLElement | null = null;
  for (const column of columns.reverse()) {
    if (next && column.compareDocumentPosition(next) & Node.DOCUMENT_POSITION_PRECEDING) next.before(column);
    link(column, next);
    next = column;
  }
  for (const [scroller, top] of places) if (scroller) scroller.scrollTop = top;
  if (focus instanceof HTMLElement && focus !== document.activeElement) focus.focus({ preventScroll: true });
}

// link lets the way over a column lead to the one that is next now.
function link(column: HTMLElement, next: HTMLElement | null): void {
  const skip = column.querySelector<HTMLAnchorElement>(".column-head .skip");
  if (!skip) return;
  skip.hidden = !next;
  if (next) skip.href = `#${next.id}`;
}
