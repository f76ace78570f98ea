import { Readable } from "node:stream";
import { render } from "preact-render-to-string";
import { expect, test } from "vitest";
import { countTurnsOf } from "../../../../../test/kit/turns.ts";
import { renderInTurns } from "../../../../ui/render-in-turns.tsx";
import type { BlameRange } from "../model.ts";
import { BlameView } from "./blame.tsx";

const rangeOf = (startLine: number, count: number): BlameRange => ({
  commit: undefined,
  age: undefined,
  startLine,
  lines: Array.from({ length: count }, (_, at) => ({ text: `<${startLine + at}>`, html: undefined })),
  previous: undefined,
});

test("renders a blame in many turns of the event loop, whether one commit wrote all lines or each one", async () => {
  const ranges = [rangeOf(1, 1_000), ...Array.from({ length: 1_000 }, (_, at) => rangeOf(1_001 + at, 1))];
  const repository = { ownerName: "alice", name: "demo" };
  const at = { kind: "branch", rev: "main" } as const;
  const view = <BlameView repository={repository} at={at} path="a.txt" sizeBytes={1} ranges={ranges} ignoredRevs="none" now={0} />;
  const rendering = Readable.from(renderInTurns("en", view)).toArray();
  expect(await countTurnsOf(() => rendering)).toBeGreaterThanOrEqual(29);
  expect((await rendering).join("")).toBe(render(view));
});
