import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { doctor } from "../../src/app/doctor.ts";
import { sweepFiles } from "../../src/features/site/blobs/service/upkeep.ts";
import { sqlite } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";
import { polling } from "../kit/polling.ts";
import { type S3Server, startS3Server } from "../kit/s3-server.ts";

/** A forge with its uploaded files in an S3-compatible service. */

let service: S3Server;
let forge: TestForge;
let alice: TestUser;
let now = Date.now();
beforeAll(async () => {
  service = await startS3Server();
  forge = await startForge({ dialect: sqlite, environment: service.environment, clock: { now: () => now } });
  alice = await forge.createUser("alice");
  await alice.post("/user/repos", { name: "demo", auto_init: true }).expect(201);
});
afterAll(async () => {
  await forge[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const alone = { "content-type": "application/octet-stream" };
const keys = (folder: string): string[] => [...service.objects.keys()].filter((key) => key.startsWith(`hearth/${folder}/`));
const says = async (): Promise<readonly [number, string]> => {
  const lines: string[] = [];
  const code = await doctor(forge.context.config, (line) => lines.push(line));
  return [code, lines.join("")];
};

test("attachments, avatars and LFS objects are stored in the service, served from it, and maintained", async () => {
  const release = await alice.post("/repos/alice/demo/releases", { tag_name: "v1" }).expect(201);
  const assets = `/repos/alice/demo/releases/${release.id}/assets`;
  const large = Buffer.alloc(20_000_000, "0123456789abcdef");
  const asset = await alice.post(`${assets}?name=large.bin`, large, alone).expect(201);
  expect(asset.size).toBe(large.length);
  const part = await alice.get("//alice/demo/releases/download/v1/large.bin", { range: "bytes=16777210-16777225" });
  expect([part.status, part.text]).toEqual([206, "abcdef0123456789"]);
  const whole = await fetch(`${forge.url}/attachments/${asset.uuid}`);
  expect(
    createHash("sha256")
      .update(Buffer.from(await whole.arrayBuffer()))
      .digest("hex"),
  ).toBe(createHash("sha256").update(large).digest("hex"));

  await alice.post("/user/avatar", { image: png }).expect(204);
  const { avatar_url: picture } = await alice.get("/user").expect(200);
  expect((await fetch(picture)).headers.get("content-type")).toBe("image/png");

  const oid = createHash("sha256").update("a large file").digest("hex");
  const authorization = `Basic ${Buffer.from(`alice:${alice.token}`).toString("base64")}`;
  const object = `${forge.url}/alice/demo.git/info/lfs/objects/${oid}`;
  expect((await fetch(`${object}/12`, { method: "PUT", headers: { authorization }, body: "a large file" })).status).toBe(200);
  expect(await (await fetch(object, { headers: { authorization } })).text()).toBe("a large file");

  expect([keys("files").length, keys("avatars").length]).toEqual([2, 1]);
  // Received data is on disk until its digest is known.
  expect(readdirSync(join(forge.dataDirectory, "files"), { recursive: true })).toEqual(["incoming"]);
  expect(existsSync(join(forge.dataDirectory, "avatars"))).toBe(false);
  expect(await says()).toEqual([0, expect.stringMatching(/ok: .* and 3 uploaded files\n$/)]);

  await alice.delete(`${assets}/${asset.id}`).expect(204);
  // The sweep deletes it later.
  expect(keys("files")).toHaveLength(2);
  expect(keys("files")).toContainEqual(expect.stringContaining(oid));
});

test("an unreachable service is reported, and no file is stored partially", async () => {
  const issue = await alice.post("/repos/alice/demo/issues", { title: "files" }).expect(201);
  const assets = `/repos/alice/demo/issues/${issue.number}/assets`;
  service.fail("PUT", 99);
  await alice.post(`${assets}?name=a.txt`, "a", alone).expect(503);
  service.fail("PUT", 0);
  expect(await alice.get(assets).expect(200)).toEqual([]);
  expect(await alice.post(`${assets}?name=a.txt`, "a", alone).expect(201)).toMatchObject({ size: 1 });
});

test("doctor reports incomplete files, and the sweep deletes unused ones", async () => {
  const issue = await alice.post("/repos/alice/demo/issues", { title: "files" }).expect(201);
  const assets = `/repos/alice/demo/issues/${issue.number}/assets`;
  const before = keys("files");
  const { uuid } = await alice.post(`${assets}?name=gone.txt`, "gone", alone).expect(201);
  const key = keys("files").find((one) => !before.includes(one)) ?? "";
  const orphan = `hearth/files/${"0".repeat(64)}`;
  service.objects.delete(key);
  service.objects.set(orphan, { content: Buffer.from("nobody's"), writtenMs: Date.now() - 3 * 86_400_000 });
  await forge.context.db.tx((tx) =>
    tx.sql
      .insertInto("unused_files")
      .values({ file: "0".repeat(64), found_ms: 1_000 })
      .execute(),
  );
  const [code, text] = await says();
  expect([code, text]).toEqual([1, expect.stringContaining(`is missing: attachment ${uuid}\n`)]);
  expect(text).toContain("1 unreferenced uploaded files should be deleted");
  expect((await alice.get(`//attachments/${uuid}`)).status).toBe(503);
  now = Date.now();
  expect(await sweepFiles(forge.context)).toBeGreaterThanOrEqual(1);
  expect(service.objects.has(orphan)).toBe(false);
});

const unreachable = "the file storage cannot be reached: uploads and downloads fail until it is available";
const refuses = (what: string): string =>
  `the file storage refuses ${what}: check HEARTH_STORAGE_ACCESS_KEY, HEARTH_STORAGE_SECRET_KEY and the permissions of the key`;
const errorsOfStart = async (more: Readonly<Record<string, string>> = {}): Promise<readonly string[]> => {
  await using other = await startForge({ dialect: sqlite, environment: { ...service.environment, ...more } });
  await other.settled();
  return other.log.filter(({ level }) => level === "error").map(({ message }) => message);
};

test("a service that rejects the key or does not answer is reported in one line when the server starts", async () => {
  expect(await errorsOfStart()).toEqual([]);
  expect(await errorsOfStart({ HEARTH_STORAGE_SECRET_KEY: "another" })).toEqual([refuses("the key")]);
  for (const method of ["PUT", "GET"]) service.fail(method, 99);
  expect(await errorsOfStart()).toEqual([unreachable]);
  for (const method of ["PUT", "GET"]) service.fail(method, 0);
  const elsewhere = (service.environment.HEARTH_STORAGE_URL ?? "").replace("/files", "/missing");
  expect(await errorsOfStart({ HEARTH_STORAGE_URL: elsewhere })).toEqual([
    "the bucket of the file storage does not exist: create it, or correct HEARTH_STORAGE_URL; uploads and downloads fail until then",
  ]);
});

test("a key without all permissions is reported when the server starts and by doctor, uploads are refused as a whole, and reads continue", async () => {
  const issue = await alice.post("/repos/alice/demo/issues", { title: "read only" }).expect(201);
  const assets = `/repos/alice/demo/issues/${issue.number}/assets`;
  const { uuid } = await alice.post(`${assets}?name=a.txt`, "a", alone).expect(201);
  const before = [...service.objects.keys()];
  service.denied.add("PUT").add("DELETE");
  try {
    expect(await errorsOfStart()).toEqual([refuses("to write, delete objects")]);
    const [code, text] = await says();
    expect([code, text]).toEqual([1, expect.stringContaining(`${refuses("to write, delete objects")}\n`)]);
    const refused = await alice.post(`${assets}?name=b.txt`, "b", alone);
    expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([503, true]);
    expect(await alice.get(assets).expect(200)).toHaveLength(1);
    expect((await alice.get(`//attachments/${uuid}`)).text).toBe("a");
  } finally {
    service.denied.clear();
  }
  expect([...service.objects.keys()]).toEqual(before);
  await alice.post(`${assets}?name=b.txt`, "b", alone).expect(201);
});

test("a server whose bucket fails is ready and gives the reason", async () => {
  const bucket = async () => {
    const ready = await forge.anonymous.get("//api/readyz").expect(200);
    return [ready.status, ready.checks["storage:bucket"].map(({ status, output }: { status: string; output: string }) => `${status} ${output}`.trim())];
  };
  await expect.poll(bucket, polling).toEqual(["pass", ["pass"]]);
  service.denied.add("HEAD");
  try {
    await expect.poll(bucket, polling).toEqual(["warn", ["warn cannot be used"]]);
  } finally {
    service.denied.clear();
  }
});
