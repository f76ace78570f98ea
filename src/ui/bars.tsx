import type { Html } from "./html.ts";

export interface BarsProps {
  readonly counts: readonly number[];
  readonly height: number;
  /** Undefined if adjacent text says the same. */
  readonly label?: string;
  readonly titles?: readonly string[];
}

const slotWidth = 10;
/** A plot with fewer slots is aligned to the left. */
const fewestSlots = 8;
/** A bar that filled a wide slot would look like a block. */
const barWidthAmong = (slots: number): number => (slots < 24 ? 3 : 8);

/** A bar chart, rendered as SVG, as wide as its container. */
export function Bars({ counts, height, label, titles }: BarsProps): Html {
  const most = Math.max(...counts, 1);
  const slots = Math.max(counts.length, fewestSlots);
  const barWidth = barWidthAmong(slots);
  const named = label === undefined ? ({ "aria-hidden": true } as const) : ({ role: "img", "aria-label": label } as const);
  return (
    <svg class="bars" viewBox={`0 0 ${slots * slotWidth} ${height}`} preserveAspectRatio="none" {...named}>
      {counts.map((count, at) => {
        const tall = count === 0 ? 0 : Math.max(2, Math.round((count / most) * height));
        const title = titles?.[at];
        return (
          count > 0 && (
            <rect x={at * slotWidth} y={height - tall} width={barWidth} height={tall}>
              {title !== undefined && <title>{`${title}: ${count}`}</title>}
            </rect>
          )
        );
      })}
    </svg>
  );
}
