import { Readable } from "node:stream";
import { render } from "preact-render-to-string";
import { expect, test } from "vitest";
import { countTurnsOf } from "../../../../../test/kit/turns.ts";
import { renderInTurns } from "../../../../ui/render-in-turns.tsx";
import type { FilesPiece, ShownChange } from "../file-piece.ts";
import { ReadOnlyChanges } from "./changes.tsx";

const oid = "0".repeat(40);

/** The changes of files that are listed in folders of ten; the first ones are shown. */
function pieceOf({
  listed,
  shown,
  hunks,
  lines,
}: {
  readonly listed: number;
  readonly shown: number;
  readonly hunks: number;
  readonly lines: number;
}): FilesPiece {
  const files = Array.from({ length: listed }, (_, at) => ({
    path: `folder-${Math.floor(at / 10)}/file-${at}.txt`,
    oldPath: undefined,
    status: "modified" as const,
    oldMode: "100644" as const,
    newMode: "100644" as const,
    oldOid: oid,
    newOid: oid,
    additions: hunks * lines,
    deletions: 0,
    binary: false,
  }));
  const hunk = {
    heading: "",
    gapAbove: undefined,
    lines: Array.from({ length: lines }, (_, at) => ({ kind: "added" as const, after: at + 1, text: `<line> ${at}` })),
  };
  const changes = files.slice(0, shown).map((file, index): ShownChange => {
    const diff = { ...file, isBinary: false, hunks: Array.from({ length: hunks }, () => hunk), gapBelow: undefined };
    return { index, file, diff, isLong: false, large: undefined };
  });
  const one = { list: 1, piece: 1, part: 1, starts: [0], hasNextList: false, hasNextPart: false, isAlone: false, isCut: false } as const;
  return { ...one, fromOid: oid, toOid: oid, files, shown: changes, fileCount: listed, additions: 0, deletions: 0 };
}

test.each([
  ["many files", { listed: 100, shown: 100, hunks: 1, lines: 30 }, 40],
  ["one hunk", { listed: 1, shown: 1, hunks: 1, lines: 3_000 }, 29],
  ["many hunks", { listed: 1, shown: 1, hunks: 300, lines: 10 }, 29],
  ["a long list of files", { listed: 2_000, shown: 0, hunks: 0, lines: 0 }, 20],
] as const)("the changes of %s are rendered in many turns of the event loop, to the same HTML as at once", async (_name, shape, turns) => {
  for (const isSplit of [false, true]) {
    const content = (
      <ReadOnlyChanges
        repository={{ ownerName: "alice", name: "demo" }}
        piece={pieceOf(shape)}
        state={{ list: 1, piece: 1, part: 1, whitespace: "show-all", style: "", folded: "" }}
        address={() => "/changes"}
        textAddress="/changes.diff"
        isSplit={isSplit}
        gaps={new Set()}
      />
    );
    const rendering = Readable.from(renderInTurns("en", content)).toArray();
    expect(await countTurnsOf(() => rendering)).toBeGreaterThanOrEqual(turns);
    expect((await rendering).join("")).toBe(render(content));
  }
});
