import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DamagedPack, installPack, listPacks, readParts } from "./pack-parts.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "hearth-parts-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const name = "pack-0123";
const content = Buffer.from("index and pack");
const parts = [
  { extension: ".idx", sizeBytes: 5 },
  { extension: ".pack", sizeBytes: content.length - 5 },
] as const;
const stored = { name, parts, digest: createHash("sha256").update(content).digest("hex") };

test("a pack that is being installed has no file that git takes for a part of a pack", async () => {
  const during: string[][] = [];
  async function* source(): AsyncGenerator<Uint8Array, void, undefined> {
    for (const byte of content) {
      yield Buffer.of(byte);
      during.push(readdirSync(directory));
    }
  }
  await installPack(directory, stored, source());
  expect(during).toHaveLength(content.length);
  expect(during.flat().filter((file) => /\.(pack|idx|rev|bitmap|mtimes)$/.test(file))).toEqual([]);
  expect(during.flat().every((file) => file.startsWith("tmp_pack_"))).toBe(true);
  expect([readdirSync(directory).sort(), listPacks(directory)]).toEqual([[`${name}.idx`, `${name}.pack`], [name]]);
  const chunks: Buffer[] = [];
  for await (const chunk of readParts(directory, name, parts)) chunks.push(Buffer.from(chunk));
  expect(Buffer.concat(chunks)).toEqual(content);
});

test.each([
  ["shorter", content.subarray(1)],
  ["longer", Buffer.concat([content, content])],
  ["other bytes of the same size", Buffer.alloc(content.length)],
])("a damaged pack leaves no file (%s)", async (_how, bytes) => {
  async function* source(): AsyncGenerator<Uint8Array, void, undefined> {
    yield bytes;
  }
  await expect(installPack(directory, stored, source())).rejects.toThrow(DamagedPack);
  expect(readdirSync(directory)).toEqual([]);
});
