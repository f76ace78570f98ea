/**
 * Part of a comment: markdown, or lines suggested as a replacement for the commented lines. `offset` is the position of the markdown in the comment, in
 * bytes, if its line ends are `\n`.
 */
export type CommentPart =
  | { readonly kind: "text"; readonly text: string; readonly offset: number }
  | { readonly kind: "suggestion"; readonly lines: readonly string[] };

/** Splits a comment at its suggestions: fenced blocks with the language `suggestion` at the start of a line. */
export function partsOf(content: string): readonly CommentPart[] {
  const parts: CommentPart[] = [];
  let text: string[] = [];
  let open: { readonly fence: string; readonly start: string; readonly lines: string[] } | undefined;
  let other: string | undefined;
  let offset = 0;
  let textOffset = 0;
  const endText = (): void => {
    if (text.some((line) => line.trim() !== "")) parts.push({ kind: "text", text: text.join("\n"), offset: textOffset });
    text = [];
  };
  const addText = (line: string, at: number): void => {
    if (text.length === 0) textOffset = at;
    text.push(line);
  };
  let openOffset = 0;
  for (const line of withUnixLines(content).split("\n")) {
    const [, fence = "", rest = ""] = /^(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (open !== undefined) {
      if (!closes(fence, rest, open.fence)) open.lines.push(line);
      else {
        parts.push({ kind: "suggestion", lines: open.lines });
        open = undefined;
      }
    } else if (other === undefined && fence !== "" && rest.trim() === "suggestion") {
      endText();
      open = { fence, start: line, lines: [] };
      openOffset = offset;
    } else {
      // A suggestion fence inside another block is text.
      if (other !== undefined) other = closes(fence, rest, other) ? undefined : other;
      else if (fence !== "") other = fence;
      addText(line, offset);
    }
    offset += Buffer.byteLength(line) + 1;
  }
  // An unclosed block is text.
  if (open !== undefined) for (const line of [open.start, ...open.lines]) addText(line, openOffset);
  endText();
  return parts;
}

/** Browsers send the line ends of forms as `\r\n`. */
const withUnixLines = (content: string): string => content.replaceAll("\r\n", "\n");

/**
 * The comment with one task item marked as done or open.
 * @param position of the bracket in bytes, if the line ends are `\n`
 * @returns undefined if there is no task item
 */
export function withTask(content: string, position: number, isDone: boolean): string | undefined {
  const bytes = Buffer.from(withUnixLines(content));
  const [before, mark, after] = [bytes.subarray(0, position), bytes.toString("utf8", position, position + 3), bytes.subarray(position + 3)];
  return /^\[[ xX]\]$/.test(mark) ? `${before.toString("utf8")}[${isDone ? "x" : " "}]${after.toString("utf8")}` : undefined;
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
