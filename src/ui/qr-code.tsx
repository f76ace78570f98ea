import { encode } from "uqr";
import type { Html } from "./html.ts";

/** The quiet zone in modules (ISO/IEC 18004, 9.1). */
const border = 4;

/** A QR code, dark on light in every theme because not every camera reads inverted codes. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }): Html {
  const { data, size } = encode(text, { ecc: "M", border });
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={pathOf(data)} fill="#000" />
    </svg>
  );
}

/** Dark modules as strokes, one row each. */
const pathOf = (rows: readonly (readonly boolean[])[]): string =>
  rows.flatMap((row, y) => runsOf(row).map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`)).join("");

/** The runs of dark modules in a row. */
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
