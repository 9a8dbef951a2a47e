// What this program uses of htmx; its own declarations import more than that.
declare module "htmx.org";
declare module "htmx.org/dist/ext/hx-sse.js";

interface HtmxExtension {
  // Returning false keeps the old attribute.
  htmx_before_morph_node?(elt: Element): boolean | void;
  htmx_before_morph_attr?(elt: Element, detail: { attrName: string; newValue: string | null }): boolean | void;
}

interface Htmx {
  process(element: Element): void;
  trigger(element: Element, event: string): void;
  ajax(method: string, path: string, context: object): Promise<void>;
  registerExtension(name: string, extension: HtmxExtension): void;
}

// HtmxContext is the request a htmx event is about.
interface HtmxContext {
  sourceElement: Element;
  target?: Element;
  request: { action: string; method: string; submitter?: Element | null };
  response?: { status: number; headers: Headers };
  // text is the body of the answer, once it is there.
  text?: string;
  swap?: string;
  // The HX- headers of the answer.
  hx?: { redirect?: string };
}

interface Window {
  htmx: Htmx;
}
