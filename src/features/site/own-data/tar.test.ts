import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ExportedFile, tarOf } from "./tar.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hearth-tar-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function* filesOf(files: readonly ExportedFile[]): AsyncGenerator<ExportedFile> {
  yield* files;
}

test("tar extracts files of any size and with long paths", async () => {
  const large = Buffer.alloc(3_000_001, "0123456789");
  const deep = `repositories/${"n".repeat(100)}/files/${"a".repeat(64)}`;
  const files = [
    { path: "empty", content: [] },
    { path: "small.json", content: [Buffer.from("{}"), Buffer.from("\n")] },
    { path: "large", content: [large.subarray(0, 2_000_000), large.subarray(2_000_000)] },
    { path: deep, content: [Buffer.alloc(512, 1)] },
  ];
  const spool = join(folder, "spool");
  const chunks: Buffer[] = [];
  for await (const chunk of tarOf(filesOf(files), spool, 1_700_000_000_000)) chunks.push(chunk);
  // The file for the large content has no name.
  expect(readdirSync(spool)).toEqual([]);
  writeFileSync(join(folder, "data.tar"), Buffer.concat(chunks));
  execFileSync("tar", ["-xf", "data.tar"], { cwd: folder });
  for (const { path, content } of files) expect([path, readFileSync(join(folder, path)).equals(Buffer.concat(content))]).toEqual([path, true]);
});

test("a file that cannot be read ends the archive without its end mark", async () => {
  const broken = async function* (): AsyncGenerator<Buffer> {
    yield Buffer.alloc(2_000_000);
    throw new Error("the disk is broken");
  };
  const read = async (): Promise<void> => {
    for await (const _chunk of tarOf(filesOf([{ path: "broken", content: broken() }]), folder, 0));
  };
  await expect(read()).rejects.toThrow("the disk is broken");
  expect(existsSync(join(folder, "broken"))).toBe(false);
});
