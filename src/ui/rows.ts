import { h } from "preact";
import { FormToken, type Html } from "./page.ts";

/** Things below each other, each with what can be done to it beside it. */
export const Rows = ({ children }: { readonly children?: Html }): Html => h("ul", { class: "rows" }, children);

export const Row = ({ action, children }: { readonly action?: Html; readonly children?: Html }): Html => h("li", null, h("div", null, children), action);

export interface DoFacts {
  readonly action: string;
  readonly formToken: string;
  readonly label: string;
  /** What it is done to, for those who do not see where the button stands. */
  readonly of: string;
}

/** A button that does one thing. */
export const Do = ({ action, formToken, label, of }: DoFacts): Html =>
  h("form", { method: "post", action }, h(FormToken, { value: formToken }), h("button", { type: "submit", "aria-label": `${label}: ${of}` }, label));

/** A moment to the minute. Without scripts nobody knows the reader's time zone. */
export const Moment = ({ ms }: { readonly ms: number }): Html => {
  const iso = new Date(ms).toISOString();
  return h("time", { datetime: iso }, `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`);
};
