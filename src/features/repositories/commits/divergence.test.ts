import { expect, test } from "vitest";
import { divergencesOf } from "./divergence.ts";

/** `c:ab` is a commit c with the parents a and b. */
const history = (text: string) =>
  text.split(" ").map((word) => {
    const [oid = "", parents = ""] = word.split(":");
    return { oid, parentOids: [...parents] };
  });

test("counts commits that only one side has as ahead and behind", () => {
  const commits = history("m:cd x:d d:b c:b b:a a o");
  const found = divergencesOf(commits, "c", ["m", "x", "b", "c", "o"]);
  expect(Object.fromEntries(found)).toEqual({
    m: { ahead: 2, behind: 0 },
    x: { ahead: 2, behind: 1 },
    b: { ahead: 0, behind: 1 },
    c: { ahead: 0, behind: 0 },
    o: { ahead: 1, behind: 3 },
  });
});

test("is undefined if a history continues beyond the known part", () => {
  const commits = history("h:p b:p x:q");
  // Both histories continue at the same commit, so no difference lies beyond it.
  expect(divergencesOf(commits, "b", ["h"]).get("h")).toEqual({ ahead: 1, behind: 1 });
  expect(divergencesOf(commits, "b", ["x", "far"])).toEqual(
    new Map([
      ["x", undefined],
      ["far", undefined],
    ]),
  );
});
