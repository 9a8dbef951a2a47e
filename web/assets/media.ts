// loadMedia shows a picture, a video or a sound in place once the reader asks
// for it; before that nothing is asked of another server. A second click, or a
// click with a modifier key, follows the link as it is.
export function loadMedia(): void {
  document.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element).closest<HTMLAnchorElement>("a[data-media]");
    if (!link) return;
    event.preventDefault();
    show(link);
  });
}

function show(link: HTMLAnchorElement): void {
  const alt = link.querySelector(".alt");
  const figure = document.createElement("figure");
  const caption = document.createElement("figcaption");
  caption.ariaHidden = "true"; // it is the picture's alternative text again
  caption.append(...(alt ? [alt.cloneNode(true)] : []));
  const shown = element(link, alt?.classList.contains("missing") ? "" : (alt?.textContent ?? ""));
  shown.addEventListener("error", () => fail(caption, link), { once: true });
  figure.append(shown, caption);
  // The column may be printed again; what was loaded stays.
  link.closest("li")?.setAttribute("hx-morph-skip", "");
  link.replaceWith(figure);
  if (shown instanceof HTMLMediaElement) shown.focus();
}

function element(link: HTMLAnchorElement, alt: string): HTMLElement {
  const { media, preview, width, height } = link.dataset;
  if (media === "image") {
    const img = new Image(Number(width) || undefined, Number(height) || undefined);
    img.alt = alt;
    img.referrerPolicy = "no-referrer";
    img.src = preview || link.href;
    return img;
  }
  const player = document.createElement(media === "audio" ? "audio" : "video");
  player.controls = true;
  player.loop = media === "gif";
  player.preload = "metadata";
  if (alt) player.setAttribute("aria-label", alt);
  if (player instanceof HTMLVideoElement && preview) player.poster = preview;
  player.src = link.href;
  return player;
}

function fail(caption: HTMLElement, link: HTMLAnchorElement): void {
  caption.ariaHidden = null;
  const text = document.createElement("p");
  text.append("It could not be loaded here. ", opener(link));
  caption.append(text);
}

function opener(link: HTMLAnchorElement): HTMLAnchorElement {
  const a = document.createElement("a");
  a.href = link.href;
  a.rel = link.rel;
  a.target = link.target;
  a.textContent = "Open it at its source";
  return a;
}
