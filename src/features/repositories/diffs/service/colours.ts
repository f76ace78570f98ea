import { highlightedLines } from "../../../site/markup/highlighted-lines.ts";
import type { Markup } from "../../../site/markup/service.ts";
import { languageOf } from "../../contents/code-language.ts";
import type { DiffHunk, DiffLine, FileDiff } from "../unified-diff.ts";

/** Longer lines are not highlighted. */
const maxLineLength = 2_000;

/**
 * Highlights diffs. Each side of a hunk is highlighted separately, so constructs that start above it, such as multi-line comments, are
 * missed: highlighting whole files would cost more than the rest of the page.
 */
export async function colourDiffs(markup: Pick<Markup, "highlightAll">, diffs: readonly FileDiff[]): Promise<readonly FileDiff[]> {
  const sides = diffs.flatMap((diff) => diff.hunks.filter(isReadable).flatMap((hunk) => [sideOf(diff, hunk, "removed"), sideOf(diff, hunk, "added")]));
  const wanted = sides.filter(({ code }) => code !== "");
  const coloured = await markup.highlightAll(wanted.map(({ code, language }) => ({ code, language })));
  const html = new Map<DiffLine, string>();
  for (const [at, { lines }] of wanted.entries()) {
    const texts = coloured[at] === undefined ? [] : highlightedLines(coloured[at]);
    if (texts.length === lines.length) for (const [index, line] of lines.entries()) html.set(line, texts[index] ?? "");
  }
  return diffs.map((diff) => ({
    ...diff,
    hunks: diff.hunks.map((hunk) => ({ ...hunk, lines: hunk.lines.map((line) => ({ ...line, html: html.get(line) })) })),
  }));
}

const isReadable = ({ lines }: DiffHunk): boolean => lines.every(({ text }) => text.length <= maxLineLength);

/** The lines of one side of a hunk; context lines are highlighted with the new side. */
function sideOf({ path, oldPath }: FileDiff, hunk: DiffHunk, kind: "added" | "removed") {
  const hasSide = hunk.lines.some((line) => line.kind === kind);
  const all = hasSide || kind === "added" ? hunk.lines.filter((line) => line.kind === kind || line.kind === "context") : [];
  return { lines: all, code: all.map(({ text }) => text).join("\n"), language: languageOf(kind === "added" ? path : (oldPath ?? path)) };
}
