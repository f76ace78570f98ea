/**
 * Removes fenced blocks, code spans and comments from Markdown, since references in them do not count. Runs in linear time for any input.
 */
export const stripCodeAndComments = (text: string): string =>
  withoutFences(withoutComments(text))
    .split(/\n[ \t]*\n/)
    .map(withoutSpans)
    .join("\n\n");

function withoutComments(text: string): string {
  let kept = "";
  let from = 0;
  for (;;) {
    const start = text.indexOf("<!--", from);
    const end = start < 0 ? -1 : text.indexOf("-->", start + 4);
    if (end < 0) return kept + text.slice(from);
    kept += `${text.slice(from, start)} `;
    from = end + 3;
  }
}

function withoutFences(text: string): string {
  const kept: string[] = [];
  let fence: string | undefined;
  for (const line of text.split("\n")) {
    const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence === undefined) {
      // The info string of a backtick fence contains no backticks; otherwise the line is a code span.
      if (mark !== undefined && !(mark.startsWith("`") && line.includes("`", line.indexOf(mark) + mark.length))) fence = mark;
      kept.push(fence === undefined ? line : "");
    } else if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
  }
  return kept.join("\n");
}

/** A run of backticks opens a span that ends at the next run of the same length. */
function withoutSpans(paragraph: string): string {
  const runs = [...paragraph.matchAll(/`+/g)].map(({ index, 0: { length } }) => ({ index, length }));
  if (runs.length < 2) return paragraph;
  const last = new Map<number, number>();
  for (const [at, run] of runs.entries()) last.set(run.length, at);
  let kept = "";
  let from = 0;
  for (let at = 0; at < runs.length; at += 1) {
    const opening = runs[at];
    if (opening === undefined || (last.get(opening.length) ?? at) <= at) continue;
    let end = at + 1;
    while (runs[end]?.length !== opening.length) end += 1;
    kept += `${paragraph.slice(from, opening.index)} `;
    from = (runs[end]?.index ?? 0) + opening.length;
    at = end;
  }
  return kept + paragraph.slice(from);
}
