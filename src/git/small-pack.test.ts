import { randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { type ClientRepository, createClient } from "../../test/kit/git.ts";
import { readSmallPack } from "./small-pack.ts";
import type { GitObject, ObjectFormat } from "./types.ts";

const clients: ClientRepository[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.remove();
});

function client(format: ObjectFormat): ClientRepository {
  const made = createClient(format);
  clients.push(made);
  return made;
}

/** Packs everything into one. @returns its path without an ending */
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
  ])("holds what git says that it holds, %s", async (_, config) => {
    const work = client(format);
    for (let round = 0; round < 5; round++) work.commit({ "long.txt": text(3000, `round ${round}\n`), [`d/${round}.txt`]: `${round}`, "empty.txt": "" });
    work.git("tag", "-a", "-m", "tagged", "v1");
    const path = packed(work, ...config);
    const deltas = work.git("verify-pack", "-v", `${path}.idx`).match(/^\S+ (?:tree|blob|commit|tag) +\d+ \d+ \d+ \d+ \S+$/gm) ?? [];
    expect(deltas.length).toBeGreaterThan(2);

    const objects = (await readSmallPack(path, format)) ?? [];
    const ofGit = work.git("cat-file", "--batch-check", "--batch-all-objects").split("\n");
    expect(objects.map(({ oid, type, data }) => `${oid} ${type} ${data.length}`).sort()).toEqual(ofGit.sort());
    const contentOf = ({ oid, type }: GitObject): Buffer => work.pipe("", "cat-file", type, oid);
    expect(objects.every((object) => object.data.equals(contentOf(object)))).toBe(true);
  });
});

test("a pack that is large, of many objects, or unfolds to much is left to git", async () => {
  const large = client("sha1");
  large.commit({ "noise.bin": randomBytes(200_000) });
  expect(await readSmallPack(packed(large), "sha1")).toBeUndefined();

  const many = client("sha1");
  many.commit(Object.fromEntries(Array.from({ length: 210 }, (_, at) => [`f${at}`, `${at}`])));
  expect(await readSmallPack(packed(many), "sha1")).toBeUndefined();

  const folded = client("sha1");
  folded.commit({ zeros: Buffer.alloc(3_000_000) });
  expect(await readSmallPack(packed(folded), "sha1")).toBeUndefined();
}, 60_000);
