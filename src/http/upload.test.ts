import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, request as sendRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { isForgeError } from "../core/errors.ts";
import { receiveUpload, type Upload } from "./upload.ts";

/** Result of the last request: the file, or the code of the error. */
let outcome: PromiseWithResolvers<string>;
let take: (upload: Upload) => Promise<string>;
const server = createServer((request: IncomingMessage, response) => {
  void receiveUpload({ stream: request, headers: request.headers }, { field: "attachment", maxBytes: 100_000 }, (upload) => take(upload))
    .catch((error: unknown) => (isForgeError(error) ? error.code : String(error)))
    .then((text) => {
      outcome.resolve(text);
      response.end(text);
    });
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => new Promise<void>((resolve) => void server.close(() => resolve())));
beforeEach(() => {
  outcome = Promise.withResolvers();
  take = async ({ name, content }) => {
    const parts: string[] = [];
    for await (const chunk of content) parts.push(Buffer.from(chunk).toString("latin1"));
    return `${name}=${Buffer.from(parts.join(""), "latin1").toString()}`;
  };
});

const origin = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const send = async (body: FormData | string | Uint8Array, type?: string): Promise<string> =>
  (
    await fetch(origin(), { method: "POST", body: body as NonNullable<RequestInit["body"]>, ...(type !== undefined && { headers: { "content-type": type } }) })
  ).text();
const formOf = (...files: readonly (readonly [field: string, name: string, content: string])[]): FormData => {
  const form = new FormData();
  form.append("note", "a field");
  for (const [field, name, content] of files) form.append(field, new File([content], name));
  return form;
};
const formType = "multipart/form-data; boundary=x";

test("passes on the file of its field, the first of several, without folders", async () => {
  expect(await send(formOf(["other", "o.txt", "no"], ["attachment", "../../etc/a b.txt", "content"], ["attachment", "second", "no"]))).toBe("a b.txt=content");
  expect(await send(formOf(["attachment", "empty", ""]))).toBe("empty=");
  expect(await send('--x\r\nContent-Disposition: form-data; name=attachment; filename="é.txt"\r\n\r\ncontent\r\n--x--\r\n', formType)).toBe("é.txt=content");
});

test("takes a body that is not a form as the file", async () => {
  expect(await send("content", "application/octet-stream")).toBe("=content");
});

test("keeps the bytes of a file unchanged and releases its memory while reading", async () => {
  const words = ["\r", "\n", "\r\n", "--", "\r\n--", "\r\n--x1", "-", "word", "z".repeat(8_000)];
  const content = Array.from({ length: 300 }, (_, at) => words[(at * at * 7 + at) % words.length]).join("");
  const given: ArrayBufferLike[] = [];
  take = async (upload) => {
    const hash = createHash("sha256");
    for await (const chunk of upload.content) {
      hash.update(chunk);
      given.push(chunk.buffer);
      // Further chunks wait in the meantime and are not concatenated.
      await new Promise(setImmediate);
    }
    return hash.digest("hex");
  };
  const digest = createHash("sha256").update(content).digest("hex");
  for (const [body, type] of [
    [formOf(["attachment", "a", content])],
    [`--xy\r\nContent-Disposition: form-data; name=attachment; filename=a\r\n\r\n${content}\r\n--xy--\r\n`, `${formType}y`],
    [content, "application/octet-stream"],
  ] as const) {
    given.length = 0;
    expect(await send(body, type)).toBe(digest);
    expect([...new Set(given)].filter(({ byteLength }) => byteLength > 1_000).length).toBeLessThan(3);
  }
});

test.each<[string, FormData | string, string?]>([
  ["without the field", formOf(["other", "o.txt", "no"])],
  ["without a file in the field", "--x\r\nContent-Disposition: form-data; name=attachment\r\n\r\nvalue\r\n--x--\r\n", formType],
  ["that breaks off in its file", "--x\r\nContent-Disposition: form-data; name=attachment; filename=a\r\n\r\ncont", formType],
  ["that breaks off in another file", "--x\r\nContent-Disposition: form-data; name=other; filename=a\r\n\r\ncont", formType],
  ["that breaks off behind its file", "--x\r\nContent-Disposition: form-data; name=attachment; filename=a\r\n\r\nc\r\n--x\r\nContent-Disposition: f", formType],
  ["that is none", "content", formType],
  ["without a boundary", "content", "multipart/form-data"],
  ["of another type", "{}", "application/json"],
  ["of too many parts", `${"--x\r\nContent-Disposition: form-data; name=other; filename=a\r\n\r\nc\r\n".repeat(200)}--x--\r\n`, formType],
])("rejects a form %s", async (_name, body, type) => expect(await send(body, type)).toBe("malformed"));

test("rejects a declared size over the limit before reading the body", async () => {
  take = () => Promise.reject(new Error("asked for"));
  expect(await send(new Uint8Array(2_000_000), "application/octet-stream")).toBe("too_large");
});

test("sends a handler's rejection while the body is still arriving, with and without a form", async () => {
  take = () => Promise.reject(new Error("no"));
  expect(await send(formOf(["attachment", "a", "x".repeat(900_000)]))).toBe("Error: no");
  expect(await send("x".repeat(900_000), "application/octet-stream")).toBe("Error: no");
  take = async ({ content }) => {
    for await (const chunk of content) if (chunk.length > 0) throw new Error("enough");
    return "all";
  };
  expect(await send(formOf(["attachment", "a", "x".repeat(900_000)]))).toBe("Error: enough");
  expect(await send("x".repeat(900_000), "application/octet-stream")).toBe("Error: enough");
});

test.each(["application/octet-stream", formType])("rejects an upload when the client disconnects within its file (%s)", async (type) => {
  const began = Promise.withResolvers<void>();
  take = async ({ content }) => {
    for await (const _chunk of content) began.resolve();
    return "all";
  };
  const client = sendRequest(origin(), { method: "POST", headers: { "content-type": type, "content-length": 50_000 } });
  client.on("error", () => {});
  client.write(`--x\r\nContent-Disposition: form-data; name=attachment; filename=a\r\n\r\n${"y".repeat(20_000)}`);
  await began.promise;
  client.destroy();
  expect(await outcome.promise).toBe("malformed");
});
