import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { randomToken } from "../../src/core/secrets.ts";
import { type RunningProgram, startProgram } from "../kit/program.ts";

/** Files larger than the memory that the program may take, up and down. */

const memoryLimitBytes = 250_000_000;
const piece = Buffer.alloc(1_000_000, "0123456789");
const pieces = 220;

let folder: string;
let program: RunningProgram;
const token = randomToken();
const authorization = `token ${token}`;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hearth-large-"));
  program = await startProgram({
    HEARTH_DATA: folder,
    HEARTH_ADMIN_USERNAME: "chief",
    HEARTH_ADMIN_EMAIL: "chief@example.com",
    HEARTH_ADMIN_PASSWORD: "chief's pass phrase",
    HEARTH_ADMIN_TOKEN: token,
  });
  const headers = { authorization, "content-type": "application/json" };
  const made = await fetch(`${program.url}/api/v1/user/repos`, { method: "POST", headers, body: JSON.stringify({ name: "demo", auto_init: true }) });
  expect(made.status).toBe(201);
});
afterAll(async () => {
  await program[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const peakBytes = (): number => Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${program.pid}/status`, "utf8"))?.[1]) * 1024;

function* content(): Generator<Buffer> {
  for (let sent = 0; sent < pieces; sent += 1) yield piece;
}
const digest = createHash("sha256");
for (const part of content()) digest.update(part);
const oid = digest.digest("hex");

const send = (method: string, url: string, headers: Record<string, string>, body: Iterable<Buffer>): Promise<Response> =>
  fetch(url, { method, headers, body: Readable.toWeb(Readable.from(body)) as ReadableStream, duplex: "half" } as RequestInit);

async function expectContent(url: string): Promise<void> {
  const answer = await fetch(url, { headers: { authorization } });
  const hash = createHash("sha256");
  for await (const part of answer.body ?? []) hash.update(part);
  expect([answer.status, hash.digest("hex")]).toEqual([200, oid]);
}

test("a file of a release, as a form", { timeout: 120_000 }, async () => {
  const json = { authorization, "content-type": "application/json" };
  const releases = `${program.url}/api/v1/repos/chief/demo/releases`;
  const { id } = (await (await fetch(releases, { method: "POST", headers: json, body: '{"tag_name":"v1"}' })).json()) as { id: number };
  const form = function* (): Generator<Buffer> {
    yield Buffer.from('--form\r\nContent-Disposition: form-data; name="attachment"; filename="large.bin"\r\n\r\n');
    yield* content();
    yield Buffer.from("\r\n--form--\r\n");
  };
  const headers = { authorization, "content-type": "multipart/form-data; boundary=form" };
  const made = await send("POST", `${releases}/${id}/assets`, headers, form());
  expect([made.status, ((await made.json()) as { size: number }).size]).toEqual([201, pieces * piece.length]);
  await expectContent(`${program.url}/chief/demo/releases/download/v1/large.bin`);
  expect(peakBytes()).toBeLessThan(memoryLimitBytes);
});

test("a large file of git lfs", { timeout: 120_000 }, async () => {
  const object = `${program.url}/chief/demo.git/info/lfs/objects/${oid}`;
  expect((await send("PUT", `${object}/${pieces * piece.length}`, { authorization }, content())).status).toBe(200);
  await expectContent(object);
  expect(peakBytes()).toBeLessThan(memoryLimitBytes);
});
