import { announce } from "./live";

// followWriting says how long a text is while it is typed, and keeps what was
// typed last when the page is closed.
export function followWriting(): void {
  document.addEventListener("input", ({ target }) => {
    if (!(target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement)) return;
    if (target.form?.matches("[data-edit]")) target.form.dataset.typed = "";
    if (target instanceof HTMLTextAreaElement) show(target);
  });
  document.addEventListener("submit", ({ target }) => delete (target as HTMLElement).dataset.typed);
  addEventListener("pagehide", () => {
    for (const form of document.querySelectorAll<HTMLFormElement>("[data-typed]")) {
      const url = form.querySelector("[data-autosave]")?.getAttribute("hx-post");
      if (url) navigator.sendBeacon(url, new URLSearchParams(new FormData(form) as never));
    }
  });
}

const rest = 1000;
let resting = 0;

// show says it by the text at once, and to a screen reader when the typing rests
// and little room is left.
function show(area: HTMLTextAreaElement): void {
  const out = area.dataset.count !== undefined && document.getElementById(`count-${area.id.slice(5)}`);
  if (!out) return;
  const limit = Number(out.dataset.limit);
  const n = count(area.value, area.dataset.count ?? "");
  const over = limit > 0 && n > limit;
  out.textContent = (limit ? `${n} of ${limit} characters` : `${n} characters`) + (over ? `, ${n - limit} too many` : "");
  out.classList.toggle("over", over);
  clearTimeout(resting);
  if (limit && n > limit * 0.9) resting = window.setTimeout(() => announce(out.textContent ?? ""), rest);
}

const address = /https?:\/\/\S+/gu;
// elsewhere is the mention of an account of another server.
const elsewhere = /(^|[^\w/])(@\w+)@[\w.-]*\w/g;
const emoji = /[\ufe0f\u20e3\u{1f3fb}-\u{1f3ff}\u{1f1e6}-\u{1f1ff}\u{e0020}-\u{e007f}]|^[\u2000-\u{10ffff}].*\u200d/u;
const signs = new Intl.Segmenter();

// count is how long a text is as its network counts, see countText of the server.
function count(text: string, network: string): number {
  if (!network) return [...text].length;
  text = text.replace(address, "a".repeat(23));
  if (network === "mastodon") text = text.replace(elsewhere, "$1$2");
  else text = text.normalize();
  let n = 0;
  for (const { segment } of signs.segment(text)) {
    if (network === "mastodon") n++;
    else if (emoji.test(segment)) n += 2;
    else for (const c of segment) n += wide(c.codePointAt(0) ?? 0) ? 2 : 1;
  }
  return n;
}

function wide(c: number): boolean {
  return c > 0x10ff && !(c >= 0x2000 && c <= 0x200d) && !(c >= 0x2010 && c <= 0x201f) && !(c >= 0x2032 && c <= 0x2037);
}
