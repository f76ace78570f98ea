import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { Readable } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import { fillsItsMemory, release } from "../core/detach-buffer.ts";
import { defaultPace, keepPace, type Pace } from "../core/pace.ts";

/** The library's request, in terms of `fetch`. */
interface S3Request {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly body?: string | Buffer;
}

/** The subset of `Response` that the library reads, with the content as a stream. */
export interface S3Answer {
  readonly status: number;
  readonly statusText: string;
  readonly ok: boolean;
  readonly headers: { get(name: string): string | null };
  /** A successful GET is streamed, and must be destroyed if it is not read to its end; all other responses are short and buffered. */
  readonly content: Readable;
  readonly body: { cancel(): void };
  text(): Promise<string>;
}

export type S3Fetch = (url: string | URL, request?: S3Request) => Promise<S3Answer>;

/**
 * Replaces `fetch`, which copies every body before sending it and passes content through streams of its own: the copies stay until the next
 * garbage collection, which is most of the cost of a large file. Redirects are not followed: a signature is valid for one host only.
 * @param answerMs time limit until the response begins, and for all of a short response
 * @param pace lowest speed of long content
 */
export function createS3Fetch(answerMs: number, pace: Pace = defaultPace): S3Fetch {
  const agents = { "http:": new HttpAgent({ keepAlive: true }), "https:": new HttpsAgent({ keepAlive: true }) };
  return (target, { method = "GET", headers = {}, body } = {}) => {
    const url = new URL(target);
    const start = url.protocol === "https:" ? httpsRequest : httpRequest;
    return new Promise((resolve, reject) => {
      const request = start(url, { method, headers, agent: agents[url.protocol as keyof typeof agents] });
      const timer = setTimeout(() => request.destroy(new Error(`no response within ${answerMs} ms`)), answerMs);
      request.once("close", () => clearTimeout(timer));
      // Errors after the response headers belong to the body's reader.
      request.on("error", reject);
      request.once("response", (answer) => {
        const isLong = method === "GET" && answer.statusCode !== undefined && answer.statusCode < 300;
        if (isLong) {
          clearTimeout(timer);
          const { socket } = answer;
          const late = (): Error => new Error("the service sends too slowly");
          keepPace({ stream: answer, moved: () => socket.bytesRead, isOurTurn: () => answer.readableLength > 0, late }, pace);
          releaseParsed(request, answer);
          resolve(answerOf(answer, answer));
        }
        // The library does not read bodies that it does not need, which would block the connection.
        else buffer(answer).then((short) => resolve(answerOf(answer, Readable.from([short]))), reject);
      });
      request.end(body);
    });
  };
}

/**
 * The parser has copied its output when it has finished with a socket chunk, so the chunk can be freed. A request detaches from its socket
 * when it closes.
 */
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
