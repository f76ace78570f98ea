import { render } from "preact-render-to-string";
import { expect, test } from "vitest";
import { type Language, renderIn } from "./texts/texts.ts";
import { Ago } from "./time.tsx";

const now = Date.UTC(2026, 10, 30, 12);
const shown = (language: Language, ms: number): string =>
  renderIn(language, () => render(<Ago ms={now - ms} now={now} />))
    .replace(/^<time[^>]*>/, "")
    .replace("</time>", "");

test.each([
  [0, "just now", "gerade eben"],
  [999, "just now", "gerade eben"],
  [3_000, "3 seconds ago", "vor 3 Sekunden"],
  [-60_000, "in 1 minute", "in 1 Minute"],
  [86_400_000, "yesterday", "gestern"],
])("a time %i ms ago is shown in the reader's language", (ms, english, german) => {
  expect(shown("en", ms)).toBe(english);
  expect(shown("de", ms)).toBe(german);
});
