// keepReaderChanges lets a column be printed again without closing what the
// reader has opened: the new HTML knows nothing of an open <details>.
export function keepReaderChanges(): void {
  window.htmx.registerExtension("keep-open", {
    htmx_before_morph_attr(elt, detail) {
      return !(elt instanceof HTMLDetailsElement && detail.attrName === "open");
    },
  });
}
