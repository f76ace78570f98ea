/**
 * Takes highlighted code apart into its lines, each HTML of its own: a span that goes over several lines ends with each and begins again with the next.
 * @param html as the highlighter makes it: escaped text and spans, nothing else
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
