/** A range of lines of a diff. */
export interface DiffWindow {
  /** A unified diff with the file's header. */
  readonly text: string;
  /** There are lines after this window. */
  readonly hasMore: boolean;
  /** The window ends early because its lines exceed `maxBytes`. */
  readonly isCut: boolean;
}

export interface WindowQuery {
  /** Number of diff lines before the window. */
  readonly skip: number;
  readonly take: number;
  /** The window ends early if its lines exceed this size. */
  readonly maxBytes: number;
}

const newline = 0x0a;
const added = 0x2b;
const removed = 0x2d;
const context = 0x20;
/** Begins the line about a missing line break of the line above it. */
const remark = 0x5c;

/**
 * Extracts a range of lines from the diff of one file as git writes it: preceding lines are skipped, following ones are never
 * read. If the range starts within a hunk, a hunk header with its line numbers is created.
 * @param chunks the output of `git diff-tree --patch` for one file
 */
export async function readWindow(chunks: AsyncIterable<Buffer>, { skip, take, maxBytes }: WindowQuery): Promise<DiffWindow> {
  const kept: Buffer[] = [];
  let size = 0;
  let count = 0;
  let isInHunks = false;
  let place = { before: 0, after: 0, heading: "", isReported: false };
  const keep = (line: Buffer): void => {
    kept.push(line);
    size += line.length;
  };
  for await (const line of linesOf(chunks)) {
    if (line.subarray(0, 3).toString("latin1") === "@@ ") {
      isInHunks = true;
      const [, before, after, heading = ""] = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)$/s.exec(line.toString("utf8")) ?? [];
      place = { before: Number(before), after: Number(after), heading: heading.trimEnd(), isReported: false };
      continue;
    }
    if (!isInHunks) {
      keep(line);
      continue;
    }
    const [kind] = line;
    if (kind === remark && count > skip) keep(line);
    if (kind !== added && kind !== removed && kind !== context) continue;
    if (count === skip + take || size > maxBytes) return { text: Buffer.concat(kept).toString("utf8"), hasMore: true, isCut: count < skip + take };
    if (count >= skip) {
      if (!place.isReported) keep(Buffer.from(`@@ -${place.before} +${place.after} @@${place.heading}\n`));
      place.isReported = true;
      keep(line);
    }
    if (kind !== added) place.before += 1;
    if (kind !== removed) place.after += 1;
    count += 1;
  }
  return { text: Buffer.concat(kept).toString("utf8"), hasMore: false, isCut: false };
}

/** Lines including their line breaks. */
async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let from = 0;
    for (let end = data.indexOf(newline); end >= 0; end = data.indexOf(newline, from)) {
      yield data.subarray(from, end + 1);
      from = end + 1;
    }
    rest = Buffer.from(data.subarray(from));
  }
  if (rest.length > 0) yield rest;
}
