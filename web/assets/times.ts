const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

// tickTimes goes on with the words that the server wrote. They are in the
// person's time zone, which need not be the browser's: each time carries its
// offset.
export function tickTimes(): void {
  writeTimes();
  setInterval(writeTimes, minute);
  document.addEventListener("htmx:after:swap", writeTimes);
}

function writeTimes(): void {
  const now = Date.now();
  for (const time of document.querySelectorAll<HTMLTimeElement>("time[data-relative]")) write(time, now, relative);
  for (const time of document.querySelectorAll<HTMLTimeElement>("time[data-ago]")) write(time, now, ago);
  for (const time of document.querySelectorAll<HTMLTimeElement>("time[data-clock]")) write(time, now, clock);
}

// A moment as its zone's clocks show it is in the UTC fields of at and now.
type Words = (age: number, at: Date, now: Date) => string;

function write(time: HTMLTimeElement, now: number, words: Words): void {
  const at = Date.parse(time.dateTime);
  if (Number.isNaN(at)) return;
  const offset = offsetOf(time.dateTime);
  const text = words(now - at, new Date(at + offset), new Date(now + offset));
  if (time.textContent !== text) time.textContent = text;
}

// offsetOf reads "+09:00" at the end of a time.
function offsetOf(iso: string): number {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(iso) ?? [];
  return (Number(hours ?? 0) * hour + Number(minutes ?? 0) * minute) * (sign === "-" ? -1 : 1);
}

// The words are those of the server.
function relative(age: number, at: Date, now: Date): string {
  if (age < minute) return "now";
  if (age < hour) return `${Math.floor(age / minute)} min`;
  if (age < day) return `${Math.floor(age / hour)} h`;
  if (age < 7 * day) return `${Math.floor(age / day)} d`;
  return at.getUTCFullYear() === now.getUTCFullYear() ? date(at) : `${date(at)} ${at.getUTCFullYear()}`;
}

function ago(age: number, at: Date, now: Date): string {
  return relative(age, at, now) + (age >= minute && age < 7 * day ? " ago" : "");
}

function clock(_: number, at: Date, now: Date): string {
  const iso = at.toISOString();
  const time = iso.slice(11, 16);
  return iso.slice(0, 10) === now.toISOString().slice(0, 10) ? time : `${date(at)} ${time}`;
}

function date(at: Date): string {
  return `${at.getUTCDate()} ${months[at.getUTCMonth()]}`;
}
