import type { Page } from "playwright-core";

/** Sums the layout shift of a page, and notes the elements that moved. For `addInitScript`. */
export const watchShift = `
  globalThis.shift = { score: 0, moved: new Set() };
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries()) {
      shift.score += value;
      for (const { node } of sources) shift.moved.add((node?.nodeName ?? "") + "." + (node?.className ?? node?.parentElement?.outerHTML.slice(0, 400) ?? ""));
    }
  }).observe({ type: "layout-shift", buffered: true });
`;

/** Rounded positions and the widths of fallback characters move small parts by a pixel. */
const leastShift = 0.001;

/** Neither the arrival of a page nor its scripts move anything on it. @returns what moved on the current page, as at most one line */
export async function findShift(page: Page): Promise<string[]> {
  const { score, moved } = (await page.evaluate("({ score: shift.score, moved: [...shift.moved] })")) as { score: number; moved: readonly string[] };
  return score > leastShift ? [`moves ${moved.join(", ")} by ${score.toFixed(4)} while it loads`] : [];
}
