import { expect, test } from "vitest";
import { hideMasks } from "./masks.ts";

test("hides all masks, and lets other work run between parts of a large log", async () => {
  const masks = Array.from({ length: 300 }, (_, at) => `secret-${String(at).padStart(4, "0")}`);
  const lines = Array.from({ length: 2_000 }, (_, at) => [at, `${"x".repeat(1_000)} secret-${String(at % 300).padStart(4, "0")} end`] as const);
  let turns = 0;
  const count = () => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const shown = await hideMasks(lines, masks);
  clearImmediate(next);
  expect(shown.map(([at, text]) => [at, text.slice(1_000)])).toEqual(lines.map(([at]) => [at, " *** end"]));
  // 2 MB and 300 masks: 600 MB, a turn for each megabyte.
  expect(turns).toBeGreaterThan(500);
});

test("hides the longest of overlapping masks, and leaves other lines as they are", async () => {
  const shown = await hideMasks(
    [
      [1, "a token-long b"],
      [2, "plain"],
      [3, "token"],
    ],
    ["token-long", "token"],
  );
  expect(shown.map(([, text]) => text)).toEqual(["a *** b", "plain", "***"]);
});
