// offerZone names the time zones that the browser knows beside the field for
// one, and offers the browser's own where pages use another.
export function offerZone(): void {
  const field = document.querySelector<HTMLInputElement>("input[data-zone-offset]");
  const button = document.querySelector<HTMLButtonElement>("[data-browser-zone]");
  if (!field || !button) return;
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  field.list?.append(...Intl.supportedValuesOf("timeZone").map((name) => new Option(name)));
  // The server's zone has no name here, so its clock is compared.
  const same = field.value ? field.value === own : Number(field.dataset.zoneOffset) === -new Date().getTimezoneOffset();
  if (!own || same) return;
  button.append(` ${own}`);
  button.hidden = false;
  button.addEventListener("click", () => {
    field.value = own;
    field.form?.requestSubmit();
  });
}
