import type { Html } from "./html.ts";

export interface BarsProps {
  readonly counts: readonly number[];
  readonly height: number;
  /** Undefined where the words beside it say the same. */
  readonly label?: string;
  readonly titles?: readonly string[];
}

const slotWidth = 10;
/** Fewer stand at the left of the plot. */
const fewestSlots = 8;
/** Where slots are wide, a bar that filled its own would be a block. */
const barWidthAmong = (slots: number): number => (slots < 24 ? 3 : 8);

/** Counts beside each other, drawn on the server; as wide as there is room. */
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
