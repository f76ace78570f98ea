/**
 * Splits highlighted code into lines of valid HTML: a span across lines is closed and reopened on each.
 * @param html from the highlighter: only escaped text and spans
 */
export function highlightedLines(html: string): string[] {
  const lines: string[] = [];
  const open: string[] = [];
  let line = "";
  let from = 0;
  for (const { 0: found, index } of html.matchAll(/<span[^>]*>|<\/span>|\n/g)) {
    line += html.slice(from, index);
    from = index + found.length;
    if (found === "\n") {
      lines.push(line + "</span>".repeat(open.length));
      line = open.join("");
      continue;
    }
    line += found;
    if (found === "</span>") open.pop();
    else open.push(found);
  }
  return [...lines, line + html.slice(from)];
}
