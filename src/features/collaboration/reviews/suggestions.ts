/** Part of a comment: markdown, or lines suggested as a replacement for the commented lines. */
export type CommentPart = { readonly kind: "text"; readonly text: string } | { readonly kind: "suggestion"; readonly lines: readonly string[] };

/** Splits a comment at its suggestions: fenced blocks with the language `suggestion` at the start of a line. */
export function partsOf(content: string): readonly CommentPart[] {
  const parts: CommentPart[] = [];
  let text: string[] = [];
  let open: { readonly fence: string; readonly lines: string[] } | undefined;
  let other: string | undefined;
  const endText = (): void => {
    if (text.some((line) => line.trim() !== "")) parts.push({ kind: "text", text: text.join("\n") });
    text = [];
  };
  for (const line of content.replaceAll("\r\n", "\n").split("\n")) {
    const [, fence = "", rest = ""] = /^(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (open !== undefined) {
      if (!closes(fence, rest, open.fence)) open.lines.push(line);
      else {
        parts.push({ kind: "suggestion", lines: open.lines });
        open = undefined;
      }
    } else if (other === undefined && fence !== "" && rest.trim() === "suggestion") {
      endText();
      open = { fence, lines: [] };
    } else {
      // A suggestion fence inside another block is text.
      if (other !== undefined) other = closes(fence, rest, other) ? undefined : other;
      else if (fence !== "") other = fence;
      text.push(line);
    }
  }
  // An unclosed block is text.
  if (open !== undefined) text.push(`${open.fence}suggestion`, ...open.lines);
  endText();
  return parts;
}

const closes = (fence: string, rest: string, opened: string): boolean => fence.startsWith(opened) && rest.trim() === "";

/** Suggested replacement lines; undefined: no suggestion. Empty: delete the lines. */
export function suggestionOf(content: string): readonly string[] | undefined {
  const found = partsOf(content).find((part) => part.kind === "suggestion");
  return found?.kind === "suggestion" ? found.lines : undefined;
}

/** The last lines of one side of a hunk. */
export function linesOfHunk(hunk: string, side: "old" | "new", count: number): readonly string[] {
  const other = side === "old" ? "+" : "-";
  return hunk
    .split("\n")
    .slice(1)
    .filter((line) => !line.startsWith(other))
    .map((line) => line.slice(1))
    .slice(-count);
}
