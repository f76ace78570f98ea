import { h } from "preact";
import type { Html } from "./html.ts";

export interface BarsFacts {
  readonly counts: readonly number[];
  readonly height: number;
  /** Undefined where the words beside it say the same. */
  readonly label?: string;
  readonly titles?: readonly string[];
}

const barWidth = 10;
/** Fewer stand at the left of the plot. */
const fewestBars = 8;

/** Counts beside each other, drawn on the server; as wide as there is room. */
export function Bars({ counts, height, label, titles }: BarsFacts): Html {
  const most = Math.max(...counts, 1);
  const width = Math.max(counts.length, fewestBars) * barWidth;
  const named = label === undefined ? { "aria-hidden": "true" } : { role: "img", "aria-label": label };
  return h(
    "svg",
    { class: "bars", viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", ...named },
    counts.map((count, at) => {
      const tall = count === 0 ? 0 : Math.max(2, Math.round((count / most) * height));
      const title = titles?.[at];
      return (
        count > 0 &&
        h("rect", { x: at * barWidth, y: height - tall, width: barWidth - 2, height: tall }, title !== undefined && h("title", null, `${title}: ${count}`))
      );
    }),
  );
}
