import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, readdir, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { doctor } from "../../src/app/doctor.ts";
import { loadConfig } from "../../src/config/config.ts";
import { randomToken } from "../../src/core/secrets.ts";
import { type RunningProgram, startProgram } from "../kit/program.ts";

/** Uploads and downloads of files larger than the memory that their transfer may use. */

/** Garbage of processed chunks, in addition to the program's memory at rest. */
const growthLimitBytes = 200_000_000;
const piece = Buffer.alloc(1_000_000, "0123456789");
const pieces = 300;

let folder: string;
let program: RunningProgram;
const token = randomToken();
const authorization = `token ${token}`;
const start = () =>
  startProgram({
    HEARTH_DATA: folder,
    HEARTH_ADMIN_USERNAME: "chief",
    HEARTH_ADMIN_EMAIL: "chief@example.com",
    HEARTH_ADMIN_PASSWORD: "chief's pass phrase",
    HEARTH_ADMIN_TOKEN: token,
  });
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hearth-large-"));
  program = await start();
  const headers = { authorization, "content-type": "application/json" };
  const made = await fetch(`${program.url}/api/v1/user/repos`, { method: "POST", headers, body: JSON.stringify({ name: "demo", auto_init: true }) });
  expect(made.status).toBe(201);
});
afterAll(async () => {
  await program[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** @returns the peak memory of the program during `work`, minus its memory before */
async function memoryFor(work: () => Promise<void>): Promise<number> {
  const status = `/proc/${program.pid}/status`;
  const bytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(readFileSync(status, "utf8"))?.[1]) * 1024;
  writeFileSync(`/proc/${program.pid}/clear_refs`, "5");
  const before = bytes("VmRSS");
  await work();
  return bytes("VmHWM") - before;
}

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

test("a release attachment uploaded as a form is streamed in constant memory", { timeout: 180_000 }, async () => {
  const json = { authorization, "content-type": "application/json" };
  const releases = `${program.url}/api/v1/repos/chief/demo/releases`;
  const { id } = (await (await fetch(releases, { method: "POST", headers: json, body: '{"tag_name":"v1"}' })).json()) as { id: number };
  const form = function* (): Generator<Buffer> {
    yield Buffer.from('--form\r\nContent-Disposition: form-data; name="attachment"; filename="large.bin"\r\n\r\n');
    yield* content();
    yield Buffer.from("\r\n--form--\r\n");
  };
  const headers = { authorization, "content-type": "multipart/form-data; boundary=form" };
  const grown = await memoryFor(async () => {
    const made = await send("POST", `${releases}/${id}/assets`, headers, form());
    expect([made.status, ((await made.json()) as { size: number }).size]).toEqual([201, pieces * piece.length]);
    await expectContent(`${program.url}/chief/demo/releases/download/v1/large.bin`);
  });
  expect(grown).toBeLessThan(growthLimitBytes);
});

test("an LFS object is streamed in constant memory", { timeout: 180_000 }, async () => {
  const object = `${program.url}/chief/demo.git/info/lfs/objects/${oid}`;
  const grown = await memoryFor(async () => {
    expect((await send("PUT", `${object}/${pieces * piece.length}`, { authorization }, content())).status).toBe(200);
    await expectContent(object);
  });
  expect(grown).toBeLessThan(growthLimitBytes);
});

test("a program that is killed during an upload removes the partial file and accepts the upload again", { timeout: 120_000 }, async () => {
  const whole = Buffer.alloc(3_000_000, "cut in the middle");
  const size = whole.length;
  const url = () => `${program.url}/chief/demo.git/info/lfs/objects/${createHash("sha256").update(whole).digest("hex")}`;
  const arrived = Promise.withResolvers<void>();
  const half = async function* (): AsyncGenerator<Buffer> {
    yield whole.subarray(0, 2_000_000);
    // A large read buffer was requested: the sent data is on its way to the disk.
    arrived.resolve();
    await new Promise(() => {});
  };
  const sent = fetch(`${url()}/${size}`, {
    method: "PUT",
    headers: { authorization },
    body: Readable.toWeb(Readable.from(half())) as ReadableStream,
    duplex: "half",
  } as RequestInit).catch(() => undefined);
  await arrived.promise;
  const files = async (): Promise<string[]> => (await readdir(join(folder, "files"), { recursive: true })).filter((path) => path.includes("/"));
  await expect.poll(async () => (await files()).some((path) => path.includes("tmp_")), { timeout: 60_000 }).toBe(true);
  await program.kill();
  await sent;

  program = await start();
  const config = loadConfig({ ...process.env, HEARTH_DATA: folder });
  expect(await doctor(config, () => 0)).toBe(0);
  for (const path of (await files()).filter((one) => one.includes("tmp_"))) await utimes(join(folder, "files", path), 1_000, 1_000);
  const lines: string[] = [];
  expect(await doctor(config, (line) => lines.push(line))).toBe(1);
  expect(lines.join("")).toContain("1 unreferenced uploaded files should be deleted");
  expect((await fetch(`${program.url}/api/v1/admin/cron/sweep_files`, { method: "POST", headers: { authorization } })).status).toBe(204);
  await expect.poll(async () => (await files()).filter((path) => path.includes("tmp_")), { timeout: 60_000 }).toEqual([]);
  expect(await doctor(config, () => 0)).toBe(0);

  expect((await fetch(url(), { headers: { authorization } })).status).toBe(404);
  expect((await fetch(`${url()}/${size}`, { method: "PUT", headers: { authorization }, body: new Uint8Array(whole) })).status).toBe(200);
  expect((await (await fetch(url(), { headers: { authorization } })).arrayBuffer()).byteLength).toBe(size);
});
