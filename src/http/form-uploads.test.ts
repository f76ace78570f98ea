import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { isForgeError } from "../core/errors.ts";
import { inPlace, text } from "../wire/schema.ts";
import { openUploadForm, type UploadForm } from "./form-uploads.ts";

/** Handler of the next form. */
let handle: (form: UploadForm) => Promise<string>;
const server = createServer((request: IncomingMessage, response) => {
  void openUploadForm(request, request.headers, { maxFiles: 3, fieldsBytes: 1_000 })
    .then((form) => {
      response.once("finish", () => form.dismiss());
      return handle(form);
    })
    .catch((error: unknown) => (isForgeError(error) ? error.code : String(error)))
    .then((answer) => response.end(answer));
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => new Promise<void>((resolve) => void server.close(() => resolve())));

/** Returns the fields before the first file, each file, and the fields at the end. */
const readAll = async (form: UploadForm): Promise<string> => {
  const before = [...form.values.keys()].join();
  const files: string[] = [];
  await form.takeFiles(async ({ name, content }) => {
    let bytes = 0;
    for await (const chunk of content) bytes += chunk.length;
    files.push(`${name}:${bytes}`);
  });
  const { a, b } = form.fields(inPlace({ a: text(), b: text() }));
  return `${before} | ${files.join()} | ${a}${b}`;
};
beforeEach(() => {
  handle = readAll;
});

const send = async (body: BodyInit, type?: string): Promise<string> => {
  const { port } = server.address() as AddressInfo;
  return (await fetch(`http://127.0.0.1:${port}`, { method: "POST", body, ...(type !== undefined && { headers: { "content-type": type } }) })).text();
};
const part = (disposition: string, content: string): string => `--x\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;
const field = (name: string, value: string): string => part(`name="${name}"`, value);
const file = (name: string, content: string): string => part(`name="files"; filename="${name}"`, content);
const type = "multipart/form-data; boundary=x";

test("passes on files in order, with the fields before and after them", async () => {
  const form = new FormData();
  form.append("a", "1");
  form.append("files", new File([new Uint8Array(3_000_000)], "../../etc/large.bin"));
  form.append("files", new File(["small"], "ä.txt"));
  form.append("none", new File([], ""));
  form.append("b", "2");
  expect(await send(form)).toBe("a | large.bin:3000000,ä.txt:5 | 12");
  expect(await send(`${file("x", "")}${field("a", "1")}--x--\r\n`, type)).toContain(" | x:0 | 1");
});

test("reuses the memory of chunks that have been read", async () => {
  const given = new Set<ArrayBufferLike>();
  handle = async (form) => {
    await form.takeFiles(async ({ content }) => {
      for await (const chunk of content) given.add(chunk.buffer);
    });
    return `${[...given].filter(({ byteLength }) => byteLength > 1_000).length < 4} of ${given.size > 10}`;
  };
  expect(await send(`${file("x", "x".repeat(1_500_000))}${file("y", "y".repeat(1_500_000))}--x--\r\n`, type)).toBe("true of true");
});

test("accepts a form without files in the usual encoding", async () => {
  expect(await send(new URLSearchParams({ a: "1", b: "2" }))).toBe("a,b |  | 12");
});

test("discards unread parts of a file and fields that are not taken", async () => {
  handle = async (form) => {
    const names: string[] = [];
    await form.takeFiles(async ({ name, content }) => {
      names.push(name);
      for await (const _chunk of content) break;
    });
    return names.join();
  };
  const large = "x".repeat(2_000_000);
  expect(await send(`${file("one", large)}${file("two", large)}--x--\r\n`, type)).toBe("one,two");
  handle = async () => "no";
  expect(await send(`${file("one", large)}--x--\r\n`, type)).toBe("no");
  handle = (form) => form.takeFiles(() => Promise.reject(new Error("refused"))).then(() => "taken");
  expect(await send(`${file("one", large)}${file("two", large)}--x--\r\n`, type)).toBe("Error: refused");
});

test.each([
  ["that breaks off in a field", field("a", "1").trimEnd(), "malformed"],
  ["that breaks off in a file", `${field("a", "1")}${file("f", "content").trimEnd()}`, "malformed"],
  ["that breaks off behind a file", `${file("f", "content")}--x\r\nContent-Disp`, "malformed"],
  ["that is none", "content", "malformed"],
  ["of too many files", `${file("f", "content").repeat(4)}--x--\r\n`, "malformed"],
  ["with a field that is too large", `${field("a", "1".repeat(2_000))}--x--\r\n`, "too_large"],
  ["with fields that are too large together", `${field("a", "1".repeat(600)).repeat(2)}--x--\r\n`, "too_large"],
])("rejects a form %s", async (_what, body, code) => expect(await send(body, type)).toBe(code));

test("rejects a form without a boundary and a body that is not a form", async () => {
  expect(await send("x", "multipart/form-data; charset=utf-8")).toBe("malformed");
  expect(await send("x", "text/plain")).toBe("invalid");
});
