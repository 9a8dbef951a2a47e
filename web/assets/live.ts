// announce tells a screen reader what changed, through the one live region of
// the page.
export function announce(text: string): void {
  const region = document.getElementById("announcer");
  if (region) region.textContent = text;
}
