import { DiffTable, type ShownDiffLine } from "../../../../ui/diff-table.tsx";
import type { Html } from "../../../../ui/html.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { reviewTexts } from "../texts/texts.ts";

export interface SuggestedProps {
  readonly path: string;
  /** Removed lines, and added lines below. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Number of the first line. */
  readonly startLine: number;
  readonly children?: Html;
}

/** A suggested change as a diff. */
export function Suggested({ path, before, after, startLine, children }: SuggestedProps): Html {
  const texts = useTexts(reviewTexts);
  const lines: readonly ShownDiffLine[] = [
    ...before.map((text, at) => ({ kind: "removed", before: startLine + at, text }) as const),
    ...after.map((text, at) => ({ kind: "added", after: startLine + at, text }) as const),
  ];
  return (
    <div class="box suggestion" role="group" aria-label={texts.suggestion}>
      <header>
        <strong>{texts.suggestion}</strong>
        <span class="end">{children}</span>
      </header>
      {after.length === 0 && <p class="soft">{texts.removesLines}</p>}
      <DiffTable path={path} hunks={[{ heading: "", lines }]} />
    </div>
  );
}
