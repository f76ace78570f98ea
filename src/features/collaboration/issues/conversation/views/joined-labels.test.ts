import { expect, test } from "vitest";
import type { LabelView } from "../../../labels/model.ts";
import type { TimelineView } from "../../model.ts";
import { joinLabels } from "./joined-labels.ts";

type Entry = Parameters<typeof joinLabels>[0][number]["entry"];

const [ada, ben] = [{ id: 1 }, { id: 2 }] as TimelineView["poster"][];
const label = (name: string, createdMs: number, fields: Partial<Entry> = {}): { readonly entry: Entry } => ({
  entry: { kind: "label", poster: ada, content: "1", label: { name } as LabelView, createdMs, ...fields },
});
const namesOf = (...entries: readonly { readonly entry: Entry }[]) => joinLabels(entries).map(({ labels }) => labels.map(({ name }) => name));

test("joins labels that a user adds at the same time", () => {
  expect(namesOf(label("a", 0), label("b", 5), label("c", 59_999))).toEqual([["a", "b", "c"]]);
});

test.each([
  ["later", label("b", 60_000)],
  ["by somebody else", label("b", 1, { poster: ben })],
  ["taken off", label("b", 1, { content: "" })],
])("does not join a label added %s", (_, other) => {
  expect(namesOf(label("a", 0), other)).toEqual([["a"], ["b"]]);
});

test("does not join labels across other entries, and skips deleted labels", () => {
  const closed = label("", 1, { kind: "close", label: undefined });
  expect(namesOf(label("a", 0), closed, label("b", 2))).toEqual([["a"], [], ["b"]]);
  expect(namesOf(label("a", 0), label("", 1, { label: undefined }), label("b", 2))).toEqual([["a"], [], ["b"]]);
});
