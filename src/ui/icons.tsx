import type { Html } from "./html.ts";
import shapes from "./icon-shapes.json" with { type: "json" };

export type IconName = keyof typeof shapes;

/** Icons that point in the direction of reading, and are mirrored in right-to-left languages. */
const pointing: ReadonlySet<IconName> = new Set(["arrow-right", "chevron-right"]);

/** An icon, hidden from screen readers unless it has a label. */
export const Icon = ({ name, label }: { readonly name: IconName; readonly label?: string }): Html => (
  <svg
    class={pointing.has(name) ? "icon pointing" : "icon"}
    width={16}
    height={16}
    viewBox="0 0 16 16"
    fill="currentColor"
    {...(label === undefined ? { "aria-hidden": "true" } : { role: "img", "aria-label": label })}
  >
    <path d={shapes[name]} />
  </svg>
);

export const iconNames = Object.keys(shapes) as readonly IconName[];
