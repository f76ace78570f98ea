import { expect, test } from "vitest";
import { divergencesOf } from "./divergence.ts";

/** `c:ab` is the commit c with the parents a and b. */
const history = (text: string) =>
  text.split(" ").map((word) => {
    const [oid = "", parents = ""] = word.split(":");
    return { oid, parentOids: [...parents] };
  });

test("heads are ahead and behind by the commits that only one side has", () => {
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

test("what goes on beyond the part that is known is not guessed", () => {
  const commits = history("h:p b:p x:q");
  // Both go on at the same commit, so nothing beyond it is between them.
  expect(divergencesOf(commits, "b", ["h"]).get("h")).toEqual({ ahead: 1, behind: 1 });
  expect(divergencesOf(commits, "b", ["x", "far"])).toEqual(
    new Map([
      ["x", undefined],
      ["far", undefined],
    ]),
  );
});
