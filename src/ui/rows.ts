import { h } from "preact";
import type { Html } from "./html.ts";
import { FormToken } from "./page.ts";

/** Things below each other, each with what can be done to it beside it. */
export const Rows = ({ children }: { readonly children?: Html }): Html => h("ul", { class: "rows" }, children);

export const Row = ({ action, children }: { readonly action?: Html; readonly children?: Html }): Html => h("li", null, h("div", null, children), action);

export interface DoFacts {
  readonly action: string;
  readonly formToken: string;
  readonly label: string;
  /** What it is done to, for those who do not see where the button stands. */
  readonly of: string;
  readonly isDanger?: boolean;
  /** Fields that travel with it, by name. */
  readonly hidden?: Readonly<Record<string, string>>;
}

/** A button that does one thing. */
export const Do = ({ action, formToken, label, of, isDanger, hidden = {} }: DoFacts): Html =>
  h(
    "form",
    { method: "post", action },
    h(FormToken, { value: formToken }),
    Object.entries(hidden).map(([name, value]) => h("input", { type: "hidden", name, value })),
    h("button", { type: "submit", ...(isDanger && { class: "danger" }), "aria-label": `${label}: ${of}` }, label),
  );
