import { createReadStream, statSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream";
import { createZstdDecompress } from "node:zlib";
import type { LogLine } from "../../features/actions/runs/model.ts";
import { cleanLine, lineBytes, lineOf, maxLogBytes, parseLine } from "../../features/actions/runs/service/logs.ts";
import type { Conversion } from "./context.ts";
import { type ForeignRow, numberOf, textOf } from "./source.ts";

/** A log, in parts as they are stored. */
export interface LogPart {
  readonly firstRow: number;
  readonly lines: readonly LogLine[];
}

const linesAtOnce = 500;
const bytesAtOnce = 256 * 1_024;

/**
 * The log of a task in parts. It ends early at the limit of Hearth.
 * @returns undefined for a missing file
 */
export async function* readTaskLog(conversion: Conversion, task: ForeignRow): AsyncGenerator<LogPart> {
  let [row, total, bytes] = [0, 0, 0];
  let lines: LogLine[] = [];
  const take = (): LogPart => {
    const part = { firstRow: row, lines };
    row += lines.length;
    [lines, bytes] = [[], 0];
    return part;
  };
  for await (const text of linesOf(chunksOf(conversion, task))) {
    const parsed = parseLine(text);
    const line: LogLine = parsed === undefined ? [0, cleanLine(text)] : lineOf(parsed[0], cleanLine(parsed[1]), parsed[2] ?? 0);
    lines.push(line);
    bytes += line[1].length + lineBytes;
    total += line[1].length + lineBytes;
    if (total >= maxLogBytes) break;
    if (lines.length >= linesAtOnce || bytes >= bytesAtOnce) yield take();
  }
  if (lines.length > 0) yield take();
}

/** Lines are joined from chunks as bytes, because a chunk may end within a character. */
async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const data = Buffer.concat([rest, chunk]);
    let from = 0;
    for (let end = data.indexOf(10); end >= 0; end = data.indexOf(10, from)) {
      yield data.toString("utf8", from, end);
      from = end + 1;
    }
    rest = data.subarray(from);
    if (rest.length > longestLine) rest = rest.subarray(0, longestLine);
  }
  if (rest.length > 0) yield rest.toString("utf8");
}

/** Gitea stores lines of at most 64 KiB. */
const longestLine = 256 * 1_024;

async function* chunksOf(conversion: Conversion, task: ForeignRow): AsyncGenerator<Uint8Array> {
  const name = textOf(task.log_filename);
  if (name === "" || name.split("/").includes("..")) return;
  const path = join(conversion.source.places.actionLogs, name);
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return yield* storedChunks(conversion, name);
  const file = createReadStream(path);
  if (!name.endsWith(".zst")) return yield* file as AsyncIterable<Buffer>;
  try {
    // `compose` loses errors of a truncated file, which then end the process.
    const plain = createZstdDecompress();
    pipeline(file, plain, () => undefined);
    yield* plain as AsyncIterable<Buffer>;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    conversion.report.without("logs of jobs that are damaged: they end there", `${name}: ${reason}`);
  }
}

/** Gitea keeps the logs of jobs that run in its database. */
async function* storedChunks({ source }: Conversion, name: string): AsyncGenerator<Uint8Array> {
  const path = `actions_log/${name}`;
  const [meta] = await source.database.all("select id, file_size from dbfs_meta where full_path = ?", [`${path.split("/").length - 1}:${path}`]);
  if (meta === undefined) return;
  const { all } = source.database;
  for (const { id } of await all("select id from dbfs_data where meta_id = ? order by blob_offset", [numberOf(meta.id)])) {
    const [row] = await all("select blob_data, blob_offset from dbfs_data where id = ?", [numberOf(id)]);
    // Gitea leaves blob_size 0.
    if (Buffer.isBuffer(row?.blob_data)) yield row.blob_data.subarray(0, Math.max(0, numberOf(meta.file_size) - numberOf(row.blob_offset)));
  }
}
