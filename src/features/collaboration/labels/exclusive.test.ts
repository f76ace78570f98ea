import { describe, expect, test } from "vitest";
import { addLabels, exclusiveScope, replaceLabels } from "./exclusive.ts";
import type { LabelView } from "./model.ts";

const label = (id: number, name: string, isExclusive = true): LabelView => ({
  id,
  repoId: 1,
  orgId: null,
  name,
  color: "000000",
  description: "",
  isExclusive,
  isArchived: false,
});
const bug = label(1, "kind/bug");
const docs = label(2, "kind/docs");
const deep = label(3, "kind/docs/api");
const plain = label(4, "bug", false);
const loose = label(5, "kind/loose", false);

test.each([
  ["kind/bug", "kind"],
  ["kind/docs/api", "kind/docs"],
  ["bug", undefined],
  ["/bug", undefined],
  ["kind/", undefined],
])("the scope of %s is %s", (name, scope) => expect(exclusiveScope(label(1, name))).toBe(scope));

test("a label that is not exclusive has no scope", () => expect(exclusiveScope(loose)).toBeUndefined());

describe("adding labels to an issue", () => {
  const ids = (change: ReturnType<typeof addLabels>) => [change.labels, change.added, change.removed].map((labels) => labels.map(({ id }) => id));

  test.each<[string, LabelView[], LabelView[], number[][]]>([
    ["another one of a scope takes its place", [bug, plain], [docs], [[4, 2], [2], [1]]],
    ["of several the last stays", [], [bug, docs], [[2], [2], []]],
    ["one that is there changes nothing", [bug, plain], [bug], [[1, 4], [], []]],
    ["a deeper scope is another scope", [docs], [deep], [[2, 3], [3], []]],
    ["one that does not exclude stays beside those that do", [loose], [bug], [[5, 1], [1], []]],
    ["one that was put beside another before they excluded each other goes", [bug, docs], [bug], [[1], [], [2]]],
    ["given twice it is there once", [], [plain, plain], [[4], [4], []]],
  ])("%s", (_name, present, wanted, expected) => expect(ids(addLabels(present, wanted))).toEqual(expected));

  test("replaces labels", () =>
    expect(ids(replaceLabels([bug, plain], [docs, loose, docs]))).toEqual([
      [2, 5],
      [2, 5],
      [1, 4],
    ]));
  test("replaces all labels with none", () => expect(ids(replaceLabels([bug, plain], []))).toEqual([[], [], [1, 4]]));
});
