import { expect, test } from "vitest";
import { readWindow } from "./diff-window.ts";
import { parseUnifiedDiff } from "./unified-diff.ts";

const text = `diff --git a/f b/f
index 1..2 100644
--- a/f
+++ b/f
@@ -7,4 +7,5 @@ heading
 line 7
-line 8
+eight
+more
 line 9
 line 10
@@ -29,2 +30,1 @@
 line 29
-line 30
\\ No newline at end of file
`;

/** Splits into chunks of a few bytes. */
async function* written(): AsyncGenerator<Buffer> {
  const data = Buffer.from(text);
  for (let at = 0; at < data.length; at += 5) yield data.subarray(at, at + 5);
}

const shownOf = async (skip: number, take: number) => {
  const { text: found, hasMore } = await readWindow(written(), { skip, take, maxBytes: 10_000 });
  const [file] = parseUnifiedDiff(found);
  return { path: file?.path, hasMore, lines: file?.hunks.map(({ heading, lines }) => [heading, ...lines.map(({ text: line }) => line)]), hunks: file?.hunks };
};

test("extracts any range of lines with their line numbers", async () => {
  const [whole] = parseUnifiedDiff(text);
  expect(await shownOf(0, 100)).toMatchObject({ path: "f", hasMore: false, hunks: whole?.hunks });
  expect(await shownOf(0, 8)).toMatchObject({ hasMore: false });
  expect(await shownOf(0, 7)).toMatchObject({
    hasMore: true,
    lines: [
      ["heading", "line 7", "line 8", "eight", "more", "line 9", "line 10"],
      ["", "line 29"],
    ],
  });
  const middle = await shownOf(3, 4);
  expect(middle.lines).toEqual([
    ["heading", "more", "line 9", "line 10"],
    ["", "line 29"],
  ]);
  expect(middle.hunks?.flatMap(({ lines }) => lines)).toMatchObject([
    { kind: "added", after: 9 },
    { before: 9, after: 10 },
    { before: 10, after: 11 },
    { before: 29, after: 30 },
  ]);
  expect(await shownOf(8, 4)).toMatchObject({ path: "f", hasMore: false, lines: [] });
});

test("a window ends early if its lines are too long", async () => {
  expect(await readWindow(written(), { skip: 0, take: 100, maxBytes: 60 })).toMatchObject({ hasMore: true, isCut: true });
  expect(await readWindow(written(), { skip: 0, take: 2, maxBytes: 10_000 })).toMatchObject({ hasMore: true, isCut: false });
});
