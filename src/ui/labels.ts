import { h } from "preact";
import type { Html } from "./html.ts";

/** The colour of a label: a picture, since the pages' policy forbids styles within them. */
export const LabelDot = ({ color }: { readonly color: string }): Html =>
  h("svg", { width: 10, height: 10, viewBox: "0 0 10 10", "aria-hidden": "true" }, h("circle", { class: "edge", cx: 5, cy: 5, r: 4.5, fill: `#${color}` }));

/** A label: its colour as a dot beside its name, so that any colour can be read on any ground. */
export const LabelChip = ({ name, color, href }: { readonly name: string; readonly color: string; readonly href: string | undefined }): Html =>
  h(href === undefined ? "span" : "a", { class: "label", href }, h(LabelDot, { color }), h("span", { dir: "auto" }, name));
