import { afterAll, beforeAll } from "vitest";
import type { Visit, Visits } from "./real-browser.ts";
import { openShowcase, type Showcase } from "./showcase.ts";

export interface SharedShowcase {
  /** Exists while tests run. */
  readonly showcase: () => Showcase;
  /** A visit by the owner of the showcase, who is signed in. */
  readonly asOwner: (options?: Parameters<Visits["visit"]>[1]) => Promise<Visit>;
}

/** The showcase of a group of tests: opened before the first one and closed after the last one. */
export function shareShowcase(visit: Visits["visit"]): SharedShowcase {
  let opened: Showcase | undefined;
  const showcase = (): Showcase => {
    if (opened === undefined) throw new Error("the showcase exists only while tests run");
    return opened;
  };
  beforeAll(async () => {
    opened = await openShowcase();
  }, 240_000);
  afterAll(() => opened?.[Symbol.asyncDispose]());
  return {
    showcase,
    asOwner: async (options = {}) => {
      const visited = await visit(showcase().forge.url, options);
      await visited.enterAs(showcase().owner);
      return visited;
    },
  };
}

/** A phone without scripts, in German and dark mode. */
export const narrow = { javaScriptEnabled: false, viewport: { width: 360, height: 740 }, locale: "de-DE", colorScheme: "dark" } as const;

export const widthOf = ({ page }: Visit): Promise<unknown> => page.evaluate("document.documentElement.scrollWidth");

/** Focuses an element and presses Enter. */
export async function enter({ page }: Visit, selector: string): Promise<void> {
  await page.focus(selector);
  await page.keyboard.press("Enter");
}
