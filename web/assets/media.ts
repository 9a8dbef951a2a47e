// loadMedia shows a picture, a video or a sound in place once the reader asks
// for it, and puts it away again; before that nothing is asked of another
// server. A click with a modifier key follows the link as it is.
export function loadMedia(): void {
  document.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const at = (event.target as Element).closest<HTMLElement>("a[data-media], [data-hide-media], [data-show-emoji]");
    if (!at) return;
    event.preventDefault();
    if (at instanceof HTMLAnchorElement) show(at);
    else if (at.matches("[data-hide-media]")) hide(at);
    else askForEmoji(at);
  });
  // Errors do not bubble.
  document.addEventListener("error", (event) => fail(event.target), true);
  document.addEventListener("htmx:after:swap", () => asked.forEach(showEmoji));
}

function boxOf(part: Element): HTMLElement | null {
  return part.closest("[data-media-box]");
}

function show(link: HTMLAnchorElement): void {
  const alt = link.querySelector(".alt");
  const text = alt?.classList.contains("missing") ? "" : (alt?.textContent ?? "");
  const shown = link.dataset.media === "image" ? picture(link, text) : player(link, text);
  const figure = document.createElement("figure");
  const caption = document.createElement("figcaption");
  if (alt) {
    const copy = alt.cloneNode(true) as Element;
    copy.ariaHidden = "true"; // it is the picture's alternative text again
    caption.append(copy);
  }
  caption.append(hider());
  figure.append(shown, caption);
  // The column may be printed again; what was loaded stays.
  boxOf(link)?.setAttribute("hx-morph-skip", "");
  link.hidden = true;
  link.after(figure);
  shown.focus();
  askForEmoji(link);
}

// A picture leads to its source, where it is larger.
function picture(link: HTMLAnchorElement, alt: string): HTMLElement {
  const { preview, width, height } = link.dataset;
  const img = new Image(Number(width) || undefined, Number(height) || undefined);
  img.alt = alt || "Picture without a description";
  img.referrerPolicy = "no-referrer";
  img.src = preview || link.href;
  const larger = opener(link);
  larger.title = "Open it at its source";
  larger.append(img);
  return larger;
}

function player(link: HTMLAnchorElement, alt: string): HTMLElement {
  const { media, preview } = link.dataset;
  const player = document.createElement(media === "audio" ? "audio" : "video");
  player.controls = true;
  player.loop = media === "gif";
  player.preload = "metadata";
  if (alt) player.setAttribute("aria-label", alt);
  if (player instanceof HTMLVideoElement && preview) player.poster = preview;
  player.src = link.href;
  return player;
}

function hider(): HTMLElement {
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.hideMedia = "";
  button.textContent = "Hide";
  return button;
}

function hide(button: HTMLElement): void {
  const box = boxOf(button);
  const link = box?.querySelector<HTMLElement>("a[data-media]");
  if (!box || !link) return;
  box.querySelector("figure")?.remove();
  box.setAttribute("hx-morph-skip", ""); // also when the page itself had shown it
  link.hidden = false;
  link.focus();
}

function fail(target: EventTarget | null): void {
  if (!(target instanceof HTMLElement)) return;
  if (target.matches("img.emoji")) target.replaceWith((target as HTMLImageElement).alt);
  const caption = target.closest("figure")?.querySelector("figcaption");
  const link = boxOf(target)?.querySelector<HTMLAnchorElement>("a[data-media]");
  if (!caption || !link || caption.querySelector("p")) return;
  const text = document.createElement("p");
  const open = opener(link);
  open.textContent = "Open it at its source";
  text.append("It could not be loaded here. ", open);
  caption.prepend(text);
}

function opener(link: HTMLAnchorElement): HTMLAnchorElement {
  const a = document.createElement("a");
  a.href = link.href;
  a.rel = link.rel;
  a.target = link.target;
  return a;
}

// Posts whose custom emoji the reader has asked for; one that is printed again
// shows them again.
const asked = new Set<string>();

function askForEmoji(part: Element): void {
  const post = part.closest("article");
  if (!post) return;
  asked.add(post.id);
  showEmoji(post.id);
}

function showEmoji(id: string): void {
  const post = document.getElementById(id);
  for (const name of post?.querySelectorAll<HTMLElement>("[data-emoji]") ?? []) {
    const img = new Image();
    img.className = "emoji";
    img.alt = img.title = name.textContent ?? "";
    img.referrerPolicy = "no-referrer";
    img.src = name.dataset.emoji ?? "";
    name.replaceWith(img);
  }
  const button = post?.querySelector<HTMLElement>("[data-show-emoji]");
  if (!button) return;
  if (button === document.activeElement) post?.focus();
  button.remove();
}
