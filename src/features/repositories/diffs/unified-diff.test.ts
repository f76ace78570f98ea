import { afterAll, expect, test } from "vitest";
import { createClient } from "../../../../test/kit/git.ts";
import { parseUnifiedDiff } from "./unified-diff.ts";

const client = createClient();
afterAll(() => client.remove());

const lines = (count: number): string => Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join("");
const odd = 'tab\there "q" ünï.txt';
client.commit({
  "kept.txt": lines(40),
  "gone.txt": "old\n",
  "moved.txt": lines(20),
  "picture.bin": Buffer.from([0, 1, 2]),
  [odd]: "a\n",
  "end.txt": "no line end",
});
const oidOf = (path: string): string => client.git("rev-parse", `HEAD:${path}`).trim();
client.git("update-index", "--force-remove", "gone.txt");
client.git("update-index", "--force-remove", "moved.txt");
client.git("update-index", "--add", "--cacheinfo", `100644,${oidOf("moved.txt")},deep-moved.txt`);
client.git("update-index", "--cacheinfo", `100755,${oidOf("end.txt")},end.txt`);
client.commit({
  "kept.txt": lines(40).replace("line 3\n", "line three\n").replace("line 30\n", "line 30\n-- dashes\n++ pluses\n"),
  "new file.txt": "first\n",
  "picture.bin": Buffer.from([0, 1, 3]),
  [odd]: "b\n",
});

const diff = (): string => client.git("-c", "core.quotePath=false", "diff-tree", "--patch", "-r", "-M", "HEAD~1", "HEAD");

test("reads files, their status, and the lines of both sides", () => {
  const files = parseUnifiedDiff(diff());
  const summaries = files.map(({ path, oldPath, status, isBinary, additions, deletions }) => ({ path, oldPath, status, isBinary, additions, deletions }));
  const plain = { oldPath: undefined, status: "modified", isBinary: false, additions: 0, deletions: 0 };
  expect(summaries.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
    { ...plain, path: "deep-moved.txt", oldPath: "moved.txt", status: "renamed" },
    { ...plain, path: "end.txt" },
    { ...plain, path: "gone.txt", status: "removed", deletions: 1 },
    { ...plain, path: "kept.txt", additions: 3, deletions: 1 },
    { ...plain, path: "new file.txt", status: "added", additions: 1 },
    { ...plain, path: "picture.bin", isBinary: true },
    { ...plain, path: odd, additions: 1, deletions: 1 },
  ]);
  const modes = Object.fromEntries(files.map(({ path, oldMode, newMode }) => [path, [oldMode, newMode]]));
  expect(modes).toMatchObject({ "end.txt": ["100644", "100755"], "gone.txt": ["100644", undefined], "new file.txt": [undefined, "100644"] });
  expect(modes["kept.txt"]).toEqual(["100644", "100644"]);
  const kept = files.find(({ path }) => path === "kept.txt");
  expect(kept?.hunks).toHaveLength(2);
  expect(kept?.hunks[0]?.lines.slice(1, 5)).toEqual([
    { kind: "context", before: 2, after: 2, text: "line 2" },
    { kind: "removed", before: 3, text: "line 3" },
    { kind: "added", after: 3, text: "line three" },
    { kind: "context", before: 4, after: 4, text: "line 4" },
  ]);
  expect(kept?.hunks[1]?.lines.filter(({ kind }) => kind === "added")).toEqual([
    { kind: "added", after: 31, text: "-- dashes" },
    { kind: "added", after: 32, text: "++ pluses" },
  ]);
});

test("reads a truncated diff up to the cut", () => {
  const whole = diff();
  for (let length = 0; length <= whole.length; length += 7) {
    const read = parseUnifiedDiff(whole.slice(0, length));
    expect(read.length).toBeLessThanOrEqual(7);
  }
});

test("marks a last line without a line break, whose text can be the same on both sides", () => {
  const end = "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-same\n\\ No newline at end of file\n+same\n";
  expect(parseUnifiedDiff(`diff --git a/f b/f\n${end}`)[0]?.hunks[0]?.lines).toEqual([
    { kind: "removed", before: 1, text: "same", isUnended: true },
    { kind: "added", after: 1, text: "same" },
  ]);
});
