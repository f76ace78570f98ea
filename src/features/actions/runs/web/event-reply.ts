import type { RawReply } from "../../../../http/answers.ts";
import type { LogFeed } from "../service/log-feed.ts";
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
