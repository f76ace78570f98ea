import { setImmediate } from "node:timers/promises";
import { render } from "preact-render-to-string";
import type { Html } from "./html.ts";
import { type Language, renderIn } from "./texts/texts.ts";

/**
 * Renders items to HTML with a turn of the event loop after each. For parts of pages with tens of thousands of elements: each item should have a few
 * hundred of them. The HTML is not joined, because encoding one text of many megabytes takes longer than a turn may.
 */
export async function* renderInTurns<T>(language: Language, items: readonly T[], view: (item: T) => Html): AsyncGenerator<string, void, undefined> {
  for (const [at, item] of items.entries()) {
    if (at > 0) await setImmediate();
    yield renderIn(language, () => render(view(item) as Parameters<typeof render>[0]));
  }
}
