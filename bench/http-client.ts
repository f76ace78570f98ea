import { Agent, request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { Agent as TlsAgent, request as tlsRequest } from "node:https";

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A client with a token (anonymous if it is empty) and connections that stay open. */
export interface HttpClient {
  /**
   * @param path from the root of the server
   * @param body strings and bytes are sent unchanged if there is a content type, other values as JSON
   */
  send(method: string, path: string, body?: unknown, contentType?: string): Promise<Answer>;
  /** Like send. @returns the parsed answer @throws Error when the status is not a 2xx */
  json<T>(method: string, path: string, body?: unknown): Promise<T>;
  close(): void;
}

/** @param maxSockets further requests wait for a connection */
export function openClient(url: string, token: string, maxSockets: number = Number.POSITIVE_INFINITY): HttpClient {
  const base = new URL(url);
  const isTls = base.protocol === "https:";
  const agent = isTls ? new TlsAgent({ keepAlive: true, maxSockets }) : new Agent({ keepAlive: true, maxSockets });
  const request = isTls ? tlsRequest : httpRequest;

  const send = (method: string, path: string, body?: unknown, contentType?: string): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const isRaw = contentType !== undefined && (typeof body === "string" || Buffer.isBuffer(body));
      const text = isRaw ? (body as string | Buffer) : body === undefined ? undefined : JSON.stringify(body);
      const headers = {
        ...(token === "" ? {} : { authorization: `token ${token}` }),
        ...(text === undefined ? {} : { "content-type": contentType ?? "application/json", "content-length": Buffer.byteLength(text) }),
      };
      const sent = request({ agent, host: base.hostname, port: base.port, method, path, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.once("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }));
        response.once("error", reject);
      });
      sent.once("error", reject);
      sent.end(text);
    });

  const json = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await send(method, path, body);
    if (answer.status < 200 || answer.status > 299) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.body.toString("utf8", 0, 300)}`);
    return (answer.body.length === 0 ? undefined : JSON.parse(answer.body.toString("utf8"))) as T;
  };
  return { send, json, close: () => agent.destroy() };
}
