import { expect, test } from "vitest";
import { countText, decimalText, percentText, wholePercentText } from "./numbers.ts";
import { sizeText } from "./size.ts";

test.each([
  ["en", "0", "999", "1,000", "1,234,567", "3.5", "12.3%", "12%", "512 B", "1.5 KiB"],
  ["de", "0", "999", "1.000", "1.234.567", "3,5", "12,3\u00a0%", "12\u00a0%", "512 B", "1,5 KiB"],
])("numbers are written as in %s", (language, ...expected) => {
  const counts = [0, 999, 1_000, 1_234_567].map((count) => countText(count, language));
  const others = [decimalText(3.456, language), percentText(0.1234, language), wholePercentText(0.1234, language), sizeText(512, language)];
  expect([...counts, ...others, sizeText(1_536, language)]).toEqual(expected);
});
