// followLogin goes on from the page between the workspace and a server's own page
// by itself: a form may not lead to another site. The page between leaves no
// entry in the history, so that Back goes to the form.
export function followLogin(): void {
  const link = document.querySelector<HTMLAnchorElement>("a[data-follow]");
  if (link) location.replace(link.href);
}
