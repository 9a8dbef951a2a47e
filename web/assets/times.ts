const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

// tickTimes goes on with the relative times that the server wrote, and writes
// times of day in the reader's own time zone.
export function tickTimes(): void {
  writeTimes(document);
  setInterval(() => writeTimes(document), minute);
  document.addEventListener("htmx:after:swap", () => writeTimes(document));
}

function writeTimes(root: ParentNode): void {
  const now = new Date();
  for (const time of root.querySelectorAll<HTMLTimeElement>("time[data-relative]")) {
    write(time, (at) => relative(at, now));
  }
  for (const time of root.querySelectorAll<HTMLTimeElement>("time[data-clock]")) {
    write(time, (at) => clock(at, now));
  }
}

function write(time: HTMLTimeElement, words: (at: Date) => string): void {
  const at = new Date(time.dateTime);
  if (Number.isNaN(at.getTime())) return;
  const text = words(at);
  if (time.textContent !== text) time.textContent = text;
}

// The words are those of the server.
function relative(at: Date, now: Date): string {
  const age = now.getTime() - at.getTime();
  if (age < minute) return "now";
  if (age < hour) return `${Math.floor(age / minute)} min`;
  if (age < day) return `${Math.floor(age / hour)} h`;
  if (age < 7 * day) return `${Math.floor(age / day)} d`;
  const date = `${at.getDate()} ${months[at.getMonth()]}`;
  return at.getFullYear() === now.getFullYear() ? date : `${date} ${at.getFullYear()}`;
}

function clock(at: Date, now: Date): string {
  const time = `${two(at.getHours())}:${two(at.getMinutes())}`;
  if (at.toDateString() === now.toDateString()) return time;
  return `${at.getDate()} ${months[at.getMonth()]} ${time}`;
}

function two(n: number): string {
  return String(n).padStart(2, "0");
}
