import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { Readable } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import { fillsItsMemory, release } from "../core/detach-buffer.ts";

/** What the library asks for, in the terms of `fetch`. */
interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly body?: string | Buffer;
}

/** As much of a `Response` as the library looks at, and the content as it comes. */
export interface S3Answer {
  readonly status: number;
  readonly statusText: string;
  readonly ok: boolean;
  readonly headers: { get(name: string): string | null };
  /** What a GET has found comes as it comes, and whoever does not read it to its end destroys it; everything else is short, and here. */
  readonly content: Readable;
  readonly body: { cancel(): void };
  text(): Promise<string>;
}

export type S3Fetch = (url: string | URL, asked?: Asked) => Promise<S3Answer>;

/**
 * Stands in for `fetch`, which copies every body before it sends it and hands content on through streams of its own: what is copied stays until the collector
 * comes, and that is most of what a large file costs. Redirects are answers like others: what is signed for one host is good for no other.
 * @param answerMs how long the service may take to begin its answer; the content behind it may take its time
 */
export function createS3Fetch(answerMs: number): S3Fetch {
  const agents = { "http:": new HttpAgent({ keepAlive: true }), "https:": new HttpsAgent({ keepAlive: true }) };
  return (target, { method = "GET", headers = {}, body } = {}) => {
    const url = new URL(target);
    const start = url.protocol === "https:" ? httpsRequest : httpRequest;
    return new Promise((resolve, reject) => {
      const request = start(url, { method, headers, agent: agents[url.protocol as keyof typeof agents] });
      const timer = setTimeout(() => request.destroy(new Error(`no answer within ${answerMs} ms`)), answerMs);
      request.once("close", () => clearTimeout(timer));
      // One that comes behind the answer is its reader's.
      request.on("error", reject);
      request.once("response", (answer) => {
        clearTimeout(timer);
        const isLong = method === "GET" && answer.statusCode !== undefined && answer.statusCode < 300;
        if (isLong) {
          releaseParsed(request, answer);
          resolve(answerOf(answer, answer));
        }
        // The library leaves unread what it does not need, and the connection would wait for its reader.
        else buffer(answer).then((short) => resolve(answerOf(answer, Readable.from([short]))), reject);
      });
      request.end(body);
    });
  };
}

/** The parser has copied what it hands on when it is through with a chunk of the socket. A request lets go of its socket when it closes. */
function releaseParsed(request: ClientRequest, { socket }: IncomingMessage): void {
  const read = (chunk: Uint8Array): void => {
    if (fillsItsMemory(chunk)) release(chunk.buffer);
  };
  socket.on("data", read);
  request.once("close", () => socket.off("data", read));
}

function answerOf({ statusCode: status = 0, statusMessage: statusText = "", headers }: IncomingMessage, content: Readable): S3Answer {
  return {
    ...{ status, statusText, ok: status >= 200 && status < 300, content },
    headers: { get: (name) => headers[name.toLowerCase()]?.toString() ?? null },
    body: { cancel: () => void content.destroy() },
    text: () => text(content),
  };
}
