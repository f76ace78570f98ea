import { createHash, randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { type ClientRepository, chunksOf, collect, createClient } from "../../../test/kit/git.ts";
import { hashObject } from "../objects/hash.ts";
import type { GitObject, ObjectFormat, Oid } from "../types.ts";
import { gatherPack, openPack } from "./incoming-pack.ts";
import { readSmallPack } from "./small-pack.ts";

const clients: ClientRepository[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.remove();
});

function client(format: ObjectFormat): ClientRepository {
  const made = createClient(format);
  clients.push(made);
  return made;
}

const noBase = async (): Promise<undefined> => undefined;
const read = (path: string, format: ObjectFormat) => readSmallPack(readFileSync(`${path}.pack`), format, noBase);

/** Packs all objects into one pack. @returns its path without an extension */
function packed(work: ClientRepository, ...config: readonly string[]): string {
  work.git(...config, "repack", "-a", "-d", "-f", "-q");
  const folder = join(work.path, ".git/objects/pack");
  const [name] = readdirSync(folder).filter((file) => file.endsWith(".pack"));
  return join(folder, (name ?? "").slice(0, -".pack".length));
}

const text = (lines: number, changed = ""): string => Array.from({ length: lines }, (_, line) => `line ${line} ${(line * 7919) % 1009}\n`).join("") + changed;

describe.each(["sha1", "sha256"] as const)("a small pack of %s", (format) => {
  test.each([
    ["deltas by their distance", ["-c", "repack.useDeltaBaseOffset=true"]],
    ["deltas by their base's id", ["-c", "repack.useDeltaBaseOffset=false"]],
  ])("contains the objects that git lists, %s", async (_, config) => {
    const work = client(format);
    for (let round = 0; round < 5; round++) work.commit({ "long.txt": text(3000, `round ${round}\n`), [`d/${round}.txt`]: `${round}`, "empty.txt": "" });
    work.git("tag", "-a", "-m", "tagged", "v1");
    const path = packed(work, ...config);
    const deltas = work.git("verify-pack", "-v", `${path}.idx`).match(/^\S+ (?:tree|blob|commit|tag) +\d+ \d+ \d+ \d+ \S+$/gm) ?? [];
    expect(deltas.length).toBeGreaterThan(2);

    const objects = (await read(path, format)) ?? [];
    const ofGit = work.git("cat-file", "--batch-check", "--batch-all-objects").split("\n");
    expect(objects.map(({ oid, type, data }) => `${oid} ${type} ${data.length}`).sort()).toEqual(ofGit.sort());
    const contentOf = ({ oid, type }: GitObject): Buffer => work.pipe("", "cat-file", type, oid);
    expect(objects.every((object) => object.data.equals(contentOf(object)))).toBe(true);
  });
});

test.each(["sha1", "sha256"] as const)("a thin pack of %s needs the reader's base objects", async (format) => {
  const work = client(format);
  const first = work.commit({ "long.txt": text(500) });
  const second = work.commit({ "long.txt": text(500, "more\n") });
  const pack = work.pack([second], [first], ["--thin"]);
  const requested: Oid[] = [];
  const objects = await readSmallPack(pack, format, async (oid) => {
    requested.push(oid);
    return { oid, type: "blob", data: work.pipe("", "cat-file", "blob", oid) };
  });
  expect(requested).toEqual([work.git("rev-parse", `${first}:long.txt`)]);
  expect(objects?.find(({ type }) => type === "blob")?.data.toString()).toBe(text(500, "more\n"));
  expect(await readSmallPack(pack, format, noBase)).toBeUndefined();
  // A base other than the one that the delta was made for.
  expect(await readSmallPack(pack, format, async (oid) => ({ oid, type: "blob", data: Buffer.from("other") }))).toBeUndefined();
});

test("an incomplete or invalid pack is left to git", async () => {
  const work = client("sha1");
  const pack = work.pack([work.commit({ a: text(50), "b.txt": text(50, "b") })]);
  expect(await readSmallPack(pack, "sha1", noBase)).toHaveLength(4);
  for (const broken of [pack.subarray(0, 20), pack.subarray(0, -1), Buffer.concat([pack, Buffer.from("x")])]) {
    expect(await readSmallPack(broken, "sha1", noBase)).toBeUndefined();
  }
  // Every single byte changed, with a matching checksum: it must not throw, or be read differently from git.
  for (let at = 12; at < pack.length - 20; at++) {
    const body = Buffer.from(pack.subarray(0, -20));
    body[at] = (body[at] ?? 0) ^ 0x41;
    const changed = await readSmallPack(Buffer.concat([body, createHash("sha1").update(body).digest()]), "sha1", noBase);
    for (const { oid, type, data } of changed ?? []) expect(hashObject("sha1", type, data)).toBe(oid);
  }
});

test("a pack ends at its checksum, even if more bytes follow, and not at content that resembles one", async () => {
  const work = client("sha1");
  const pack = work.pack([work.commit({ a: "a" })]);
  for (const sizeBytes of [1, 7, 1000]) {
    const open = async function* (): AsyncGenerator<Buffer, void, undefined> {
      yield* chunksOf(pack, sizeBytes);
      await new Promise(() => {});
    };
    expect((await gatherPack(open(), "sha1")).pack).toEqual(pack);
  }
  const early = Buffer.concat([pack, Buffer.from("more")]);
  const gathered = await gatherPack(chunksOf(early, pack.length), "sha1");
  expect(gathered.pack).toEqual(pack);
  const cut = await gatherPack(chunksOf(pack.subarray(0, -5), 10), "sha1");
  expect(cut.pack).toBeUndefined();
  expect(await collect(cut.all())).toEqual(pack.subarray(0, -5));
});

test("a source is closed wherever reading its pack has stopped", async () => {
  const work = client("sha1");
  const pack = work.pack([work.commit({ a: "a" })]);
  let isClosed = false;
  const source = async function* (): AsyncGenerator<Buffer, void, undefined> {
    try {
      yield* chunksOf(pack, 30);
    } finally {
      isClosed = true;
    }
  };
  const unread = await openPack(source(), { maxBytes: 1_000_000 });
  unread.close();
  await expect.poll(() => isClosed).toBe(true);
  // As if git ended before it consumed the gathered bytes.
  isClosed = false;
  const begun = await openPack(source(), { maxBytes: 1_000_000 });
  const all = (await gatherPack(begun.bytes(), "sha1")).all();
  await all.next();
  await all.return();
  expect(isClosed).toBe(false);
  begun.close();
  await expect.poll(() => isClosed).toBe(true);
  isClosed = false;
  await expect(openPack(source(), { maxBytes: 20 })).rejects.toThrow("the pack is larger");
  await expect.poll(() => isClosed).toBe(true);
});

test("a pack that is large, has many objects, or inflates too much is left to git", async () => {
  const large = client("sha1");
  large.commit({ "noise.bin": randomBytes(200_000) });
  expect(await read(packed(large), "sha1")).toBeUndefined();

  const many = client("sha1");
  many.commit(Object.fromEntries(Array.from({ length: 210 }, (_, at) => [`f${at}`, `${at}`])));
  expect(await read(packed(many), "sha1")).toBeUndefined();

  const folded = client("sha1");
  folded.commit({ zeros: Buffer.alloc(3_000_000) });
  expect(await read(packed(folded), "sha1")).toBeUndefined();
}, 60_000);
