import { formatTime } from "../../../../core/time.ts";
import type { Reader } from "../../../../db/db.ts";
import type { RawReply } from "../../../../http/answers.ts";
import type { LogLine } from "../model.ts";
import type { LogFeed } from "../service/log-feed.ts";
import { streamLog } from "../service/logs.ts";
import { lineHtml } from "../views/log-text.ts";

/** @param taskId undefined if no runner has the job yet: the browser asks again */
export function eventReply({ logFeed }: { readonly logFeed: LogFeed }, taskId: number | undefined, fromRow: number, signal: AbortSignal): RawReply {
  const headers = { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" };
  if (taskId === undefined) return { status: 200, headers, body: `retry: ${againMs}\n\n` };
  async function* pieces(id: number): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const item of logFeed.follow(id, fromRow, signal)) {
      if (item.kind === "lines") {
        const html = item.lines.map((line, at) => lineHtml(line, item.row + at)).join("");
        yield Buffer.from(`id: ${item.row + item.lines.length}\ndata: ${JSON.stringify(html)}\n\n`);
      } else yield Buffer.from(item.kind === "end" ? "event: end\ndata:\n\n" : ":\n\n");
    }
  }
  return { status: 200, headers, body: { pieces: pieces(taskId) } };
}

const againMs = 5_000;

/** Each line with its time. */
export function logReply({ db }: { readonly db: Reader }, fileName: string, taskId: number | undefined): RawReply {
  const headers = {
    "content-type": "text/plain; charset=utf-8",
    "content-disposition": `attachment; filename="${fileName.replaceAll(/[^\w.-]/g, "_")}"`,
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
  };
  const line = ([timeMs, content]: LogLine): string => `${formatTime(timeMs)} ${content}\n`;
  async function* pieces(): AsyncGenerator<Uint8Array, void, undefined> {
    if (taskId !== undefined) for await (const lines of streamLog(db, taskId)) yield Buffer.from(lines.map(line).join(""));
  }
  return { status: 200, headers, body: { pieces: pieces() } };
}
