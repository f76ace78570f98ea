import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApiClient } from "../kit/api-client.ts";
import { administrator, contentOf, createFilled, good, refusal, token } from "../kit/backed-up-site.ts";
import { onPostgres } from "../kit/databases.ts";
import { runProgram, startProgram } from "../kit/program.ts";

/** Backups, restores and checks on disks that fill up at each stage. Each disk grows until the command succeeds, so that every failure is repeated. */

const isRoot = process.getuid?.() === 0;
const reasonOf = (name: string): string => (isRoot ? name : `${name} (skipped: only root mounts a small disk)`);

let root: string;
let data: string;
let content: Awaited<ReturnType<typeof contentOf>>;
const sources: string[] = [];
const settings = () => ({ ...administrator, HEARTH_DATA: data });
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "hearth-full-"));
  data = join(root, "data");
  if (!isRoot) return;
  {
    await createFilled(data);
    await using server = await startProgram(settings());
    const api = createApiClient(server.url, `token ${token}`);
    await api.post("/repos/chief/demo/contents/large", { message: "large", content: randomBytes(300_000).toString("base64") }).expect(201);
    content = await contentOf(server.url);
    await server.stop();
  }
  sources.push(join(root, "folder"), `file://${join(root, "place")}`);
  for (const target of sources) good(await runProgram(["backup", target], settings()));
}, 120_000);
afterAll(() => rmSync(root, { recursive: true, force: true }));

const isFull = "the storage is full";

interface SmallDisk extends Disposable {
  readonly path: string;
  grow(): void;
}

/** An empty disk of 64 KiB; it doubles. */
function mountSmall(): SmallDisk {
  const path = mkdtempSync(join(root, "disk-"));
  let kibibytes = 64;
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${kibibytes}k`, "tmpfs", path]);
  return {
    path,
    grow() {
      kibibytes *= 2;
      execFileSync("mount", ["-o", `remount,size=${kibibytes}k`, path]);
    },
    [Symbol.dispose]: () => execFileSync("umount", ["-l", path]),
  };
}

/** Repeats a command on a growing disk until it succeeds. @returns the number of failures, each of which was one line */
async function repeatUntilDone(
  disk: SmallDisk,
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  afterFailure?: (earlier: number) => void | Promise<void>,
): Promise<number> {
  for (let failures = 0; ; failures += 1) {
    const run = await runProgram(words, environment);
    if (run.code === 0) {
      good(run);
      return failures;
    }
    expect(refusal(run)).toContain(isFull);
    await afterFailure?.(failures);
    disk.grow();
  }
}

async function requireContent(environment: Readonly<Record<string, string>>): Promise<void> {
  expect((await runProgram(["doctor"], environment)).code).toBe(0);
  await using server = await startProgram(environment);
  expect(await contentOf(server.url)).toEqual(content);
  await server.stop();
}

describe("disks that fill up", () => {
  for (const kind of ["a folder", "a place"] as const)
    test.skipIf(!isRoot)(
      reasonOf(`a restore from ${kind} fails with one line at each stage, starts no server, and continues`),
      { timeout: 300_000 },
      async () => {
        const source = sources[kind === "a folder" ? 0 : 1] ?? "";
        using disk = mountSmall();
        const after = { ...administrator, HEARTH_DATA: join(disk.path, "restored") };
        const left: string[] = [];
        const failures = await repeatUntilDone(disk, ["restore", source], after, () => {
          if (!existsSync(after.HEARTH_DATA)) return;
          left.push(join(root, `left-${kind.slice(2)}-${left.length}`));
          cpSync(after.HEARTH_DATA, left.at(-1) ?? "", { recursive: true });
        });
        expect(failures).toBeGreaterThan(3);
        // Each later attempt continues this one, and has more files.
        expect(left.filter((folder) => !existsSync(join(folder, "restoring")))).toEqual([]);
        for (const folder of [left[0], left.at(-1)])
          expect(refusal(await runProgram(["serve"], { ...after, HEARTH_DATA: folder ?? "" }))).toContain("has an incomplete restore");
        for (let more = 0; more < 4; more += 1) disk.grow();
        await requireContent(after);
      },
    );

  for (const kind of ["a folder", "a place"] as const)
    test.skipIf(!isRoot)(reasonOf(`a backup to ${kind} fails with one line at each stage, is not complete, and continues`), { timeout: 300_000 }, async () => {
      using disk = mountSmall();
      const path = join(disk.path, "backup");
      const scheme = kind === "a folder" ? "" : "file://";
      const target = `${scheme}${path}`;
      const refuseRestore = async (from: string): Promise<void> =>
        void expect(refusal(await runProgram(["restore", scheme + from], { HEARTH_DATA: join(root, "never") }))).toMatch(
          /is not a complete backup|has no complete backup/,
        );
      let last = "";
      const failures = await repeatUntilDone(disk, ["backup", target], settings(), async (earlier) => {
        if (earlier === 0) await refuseRestore(path);
        last = join(root, `last-${kind.slice(2)}-${earlier}`);
        cpSync(path, last, { recursive: true });
      });
      expect(failures).toBeGreaterThan(1);
      // The attempt that came the closest to a complete backup.
      await refuseRestore(last);
      const after = { ...administrator, HEARTH_DATA: join(root, `of-${kind.slice(2)}`) };
      good(await runProgram(["restore", target], after));
      await requireContent(after);
      expect(existsSync(join(root, "never"))).toBe(false);
    });

  test.skipIf(!isRoot)(
    reasonOf("a full data folder fails a backup and a verification with one line, and leaves no scratch data"),
    { timeout: 300_000 },
    async () => {
      using disk = mountSmall();
      for (let more = 0; more < 10; more += 1) disk.grow();
      const full = { ...administrator, HEARTH_DATA: join(disk.path, "data") };
      good(await runProgram(["restore", sources[1] ?? ""], full));
      await using server = await startProgram(full);
      const filler = join(disk.path, "filler");
      const fillUp = (): void => {
        try {
          execFileSync("dd", ["if=/dev/zero", `of=${filler}`, "bs=64k"], { stdio: "ignore" });
        } catch {
          // It ends when the disk is full.
        }
      };
      const place = `file://${join(root, "of-full")}`;
      fillUp();
      expect(refusal(await runProgram(["backup", place], full))).toContain(isFull);
      rmSync(filler);
      good(await runProgram(["backup", place], full));
      fillUp();
      expect(refusal(await runProgram(["backup", "verify", place], full))).toContain(isFull);
      rmSync(filler);
      const cache = join(full.HEARTH_DATA, "cache");
      expect(readdirSync(cache).filter((name) => name.startsWith("scratch-"))).toEqual([]);
      expect(good(await runProgram(["backup", "verify", place], full))).toContain("it can be restored");
      expect(await contentOf(server.url)).toEqual(content);
      await server.stop();
    },
  );
});

onPostgres((dialect) => {
  test.skipIf(!isRoot)(reasonOf("a restore into PostgreSQL continues after a full data folder"), { timeout: 300_000 }, async () => {
    using disk = mountSmall();
    await using database = await dialect.createEmpty();
    const after = { ...administrator, HEARTH_DATA: join(disk.path, "restored"), HEARTH_DATABASE_URL: database.url };
    const failures = await repeatUntilDone(disk, ["restore", sources[1] ?? ""], after);
    expect(failures).toBeGreaterThan(0);
    for (let more = 0; more < 4; more += 1) disk.grow();
    await requireContent(after);
  });
});
