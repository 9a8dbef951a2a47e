import { announce } from "./live";
import { post } from "./rove";

// makeTasks sends the form of a post's button without leaving the page. The answer
// takes the button's place, and the focus when the button had it.
export function makeTasks(): void {
  document.addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement;
    const button = event.submitter;
    const place = button?.closest("[data-task]");
    if (!form.matches("[data-tasks]") || !button || !place) return;
    event.preventDefault();
    if (!button.ariaBusy) void send(form.action, button, place);
  });
}

async function send(url: string, button: HTMLElement, place: Element): Promise<void> {
  const article = place.closest("article");
  const focused = place.contains(document.activeElement);
  button.ariaBusy = "true";
  await window.htmx.ajax("POST", url, { source: button, target: place, swap: "outerHTML" });
  button.ariaBusy = null;
  const now = article && taskOf(document.getElementById(article.id));
  if (!now || place.isConnected) return void (button.textContent = "No answer: try again");
  for (const row of document.querySelectorAll<HTMLElement>("[data-newest-row]")) delete row.dataset.newestRow;
  now.dataset.newestRow = "";
  announce(now.querySelector("[data-said]")?.textContent ?? "No task any more");
  if (focused) now.focus();
}

function taskOf(article: Element | null): HTMLElement | null | undefined {
  return article?.querySelector<HTMLElement>(":scope > .foot [data-task], :scope > .fold > .foot [data-task]");
}

// makeTask makes a task from the current post; where there is one it leads to it.
export function makeTask(): boolean {
  const place = taskOf(post());
  if (place?.matches("button")) place.click();
  else if (place) {
    announce(place.textContent ?? "");
    (place.querySelector("a") ?? place).focus();
  }
  return Boolean(place);
}
