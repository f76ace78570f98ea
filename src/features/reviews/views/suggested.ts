import { h } from "preact";
import { DiffTable, type ShownDiffLine } from "../../../ui/diff-table.ts";
import type { Html } from "../../../ui/html.ts";
import { useTexts } from "../../../ui/texts/texts.ts";

export interface SuggestedFacts {
  readonly path: string;
  /** The lines that would go, and those that would come. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Of the first line. */
  readonly startLine: number;
  readonly children?: Html;
}

/** Lines that somebody would have in place of others. */
export function Suggested({ path, before, after, startLine, children }: SuggestedFacts): Html {
  const { reviewing: texts } = useTexts();
  const lines: readonly ShownDiffLine[] = [
    ...before.map((text, at) => ({ kind: "removed", before: startLine + at, text }) as const),
    ...after.map((text, at) => ({ kind: "added", after: startLine + at, text }) as const),
  ];
  return h(
    "section",
    { class: "box suggestion", "aria-label": texts.suggestion },
    h("header", null, h("strong", null, texts.suggestion), h("span", { class: "end" }, children)),
    after.length === 0 && h("p", { class: "soft" }, texts.removesLines),
    h(DiffTable, { path, hunks: [{ heading: "", lines }] }),
  );
}
