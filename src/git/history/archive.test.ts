import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ClientRepository, collect, createClient, importObjects, openTestStores, type TestStores } from "../../../test/kit/git.ts";
import { isForgeError } from "../../core/errors.ts";
import type { GitStore } from "../stores.ts";
import type { Oid } from "../types.ts";
import { streamArchive, streamBundle } from "./archive.ts";

let kit: TestStores;
let scratch: string;
let client: ClientRepository;
let store: GitStore;
let tip: Oid;

beforeAll(async () => {
  kit = await openTestStores();
  scratch = await mkdtemp(join(tmpdir(), "hearth-archive-"));
  client = createClient();
  client.commit({ "README.md": "read\n" });
  tip = client.commit({ "src/a.txt": "a\n", "src/b c.txt": "b\n", "docs/d.txt": "d\n", "big.bin": Buffer.alloc(200_000, "x1y2z3") });
  store = kit.fresh();
  await importObjects(store, client, [tip]);
});

afterAll(async () => {
  client.remove();
  await rm(scratch, { recursive: true, force: true });
  await kit.close();
});

function tarList(file: string): string[] {
  return execFileSync("tar", ["-tzf", file])
    .toString()
    .trim()
    .split("\n")
    .filter((name) => !name.endsWith("/"))
    .sort();
}

test("an archive contains the files below its prefix", async () => {
  const file = join(scratch, "all.tar.gz");
  await writeFile(file, await collect((await streamArchive(store, { oid: tip, format: "tar.gz", prefix: "demo/" })).stdout));
  expect(tarList(file)).toEqual(["demo/README.md", "demo/big.bin", "demo/docs/d.txt", "demo/src/a.txt", "demo/src/b c.txt"]);
  expect(execFileSync("tar", ["-xzOf", file, "demo/src/a.txt"]).toString()).toBe("a\n");
  const again = await collect((await streamArchive(store, { oid: tip, format: "tar.gz", prefix: "demo/" })).stdout);
  expect(execFileSync("sha256sum", [file]).toString().slice(0, 64)).toBe(execFileSync("sha256sum", { input: again }).toString().slice(0, 64));
});

test("an archive can be limited to literal paths", async () => {
  const file = join(scratch, "part.tar.gz");
  await writeFile(file, await collect((await streamArchive(store, { oid: tip, format: "tar.gz", prefix: "demo/", paths: ["src", "README.md"] })).stdout));
  expect(tarList(file)).toEqual(["demo/README.md", "demo/src/a.txt", "demo/src/b c.txt"]);
  for (const path of [":(exclude)src", "--output=x", "nosuch", "../x"]) {
    const { stdout } = await streamArchive(store, { oid: tip, format: "zip", prefix: "demo/", paths: [path] });
    await expect(collect(stdout)).rejects.toSatisfy((error) => isForgeError(error));
  }
});

test("an uncompressed tar archive without a prefix contains a tree's files at their own paths", async () => {
  const file = join(scratch, "plain.tar");
  await writeFile(file, await collect((await streamArchive(store, { oid: tip, format: "tar", prefix: "", paths: ["src"] })).stdout));
  expect(execFileSync("tar", ["-tf", file]).toString().trim().split("\n").sort()).toEqual(["src/", "src/a.txt", "src/b c.txt"]);
});

test("a zip archive is a valid zip file", async () => {
  const zip = await collect((await streamArchive(store, { oid: tip, format: "zip", prefix: "demo/" })).stdout);
  expect(zip.subarray(0, 4)).toEqual(Buffer.from("PK\u0003\u0004"));
  const end = zip.lastIndexOf(Buffer.from("PK\u0005\u0006"));
  expect(zip.readUInt16LE(end + 10)).toBe(8);
  expect(zip.includes("demo/src/b c.txt")).toBe(true);
});

test("an archive that exceeds the size limit fails", async () => {
  const { stdout } = await streamArchive(store, { oid: tip, format: "tar.gz", prefix: "demo/", limits: { maxBytes: 100, timeoutMs: 10_000 } });
  await expect(collect(stdout)).rejects.toSatisfy((error) => isForgeError(error, "unavailable"));
  for (const prefix of ["x\n", "\0", "x".repeat(1_001), "\ud800"])
    await expect(streamArchive(store, { oid: tip, format: "zip", prefix })).rejects.toThrow(TypeError);
});

test("a bundle can be verified and cloned, in both object formats", async () => {
  for (const format of ["sha1", "sha256"] as const) {
    const author = createClient(format);
    const first = author.commit({ a: "1" });
    const second = author.commit({ a: "2" });
    const holder = kit.fresh(format);
    await importObjects(holder, author, [second]);
    const refs = new Map([
      ["HEAD", second],
      ["refs/heads/main", second],
      ["refs/tags/old", first],
    ]);
    const file = join(scratch, `${format}.bundle`);
    await writeFile(file, await collect((await streamBundle(holder, { refs })).stdout));
    author.git("bundle", "verify", file);
    const copy = join(scratch, `${format}-copy`);
    author.git("clone", "-q", file, copy);
    expect(author.git("-C", copy, "rev-parse", "HEAD", "old")).toBe(`${second}\n${first}`);
    author.remove();
  }
});
