// keepReaderChanges lets a column be printed again without closing what the
// reader has opened, nor taking the focus from a post that the keys gave it: the
// new HTML knows nothing of an open <details> or a tabindex.
export function keepReaderChanges(): void {
  window.htmx.registerExtension("keep-open", {
    htmx_before_morph_attr(elt, detail) {
      const name = detail.attrName;
      return !((name === "open" && elt.matches("details")) || (name === "tabindex" && elt.matches("article")));
    },
  });
}
