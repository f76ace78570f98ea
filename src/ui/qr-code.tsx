import { encode } from "uqr";
import type { Html } from "./html.ts";

/** The light margin around it, in modules (ISO/IEC 18004, 9.1). */
const border = 4;

/** A text for cameras, drawn. Dark on light in every theme: not every camera reads the reverse. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }): Html {
  const { data, size } = encode(text, { ecc: "M", border });
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={pathOf(data)} fill="#000" />
    </svg>
  );
}

/** Dark modules as strokes of one row each. */
const pathOf = (rows: readonly (readonly boolean[])[]): string =>
  rows.flatMap((row, y) => runsOf(row).map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`)).join("");

/** Where dark modules begin in a row, and how many follow each other. */
function runsOf(row: readonly boolean[]): (readonly [start: number, length: number])[] {
  const runs: [number, number][] = [];
  for (const [at, isDark] of row.entries()) {
    const last = runs.at(-1);
    if (!isDark) continue;
    if (last !== undefined && last[0] + last[1] === at) last[1] += 1;
    else runs.push([at, 1]);
  }
  return runs;
}
