import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer } from "../tools/server.ts";
import type { GitClient } from "./git-client.ts";
import { bucketAssetMemory, largeAssetMemory, largeObjectMemory } from "./large-file-work.ts";
import { percentile } from "./measure.ts";
import { memoryOf, resetPeak, settle } from "./process-tree.ts";
import { gitUrl, openTarget } from "./target.ts";

/** A figure of the whole program, measured on servers of its own. */
export interface FigureItem {
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  readonly ceiling?: number;
  take(git: GitClient, isShort: boolean): Promise<number>;
}

const mebibyte = 1024 * 1024;

/** The first start creates the database and the administrator. @returns the time of each start, in ms */
async function startTimes(count: number): Promise<number[]> {
  const folder = mkdtempSync(join(tmpdir(), "hearth-bench-"));
  const settings = { HEARTH_ADMIN_TOKEN: randomBytes(20).toString("hex") };
  const times: number[] = [];
  try {
    for (let time = 0; time < count; time += 1) {
      const server = await startServer({ folder, settings });
      times.push(server.startMs);
      await server.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return times;
}

const median = (values: readonly number[]): number =>
  percentile(
    values.toSorted((a, b) => a - b),
    0.5,
  );

async function idleMemory(): Promise<number> {
  const server = await startServer();
  try {
    await settle(server.pid);
    return memoryOf(server.pid).residentBytes / mebibyte;
  } finally {
    await server.stop();
  }
}

/** Pushes and clones a pack of random bytes. @returns the peak memory of the server process, in MiB */
async function bigPackMemory(git: GitClient, isShort: boolean): Promise<number> {
  const files = isShort ? 3 : 30;
  const folder = join(git.folder, "big.git");
  await git.run(["init", "--quiet", "--bare", "--initial-branch=main", folder]);
  await git.run(["-C", folder, "fast-import", "--quiet"], noise(files, 10_000_000));

  const server = await startServer();
  try {
    const target = await openTarget({ name: "hearth", url: server.url, token: server.token, hasCounters: false, pid: server.pid });
    await target.http.json("POST", "/api/v1/user/repos", { name: "big", default_branch: "main" });
    resetPeak(server.pid);
    await git.run(["-C", folder, "push", "--quiet", gitUrl(target, "big"), "refs/heads/main"]);
    for (const copy of ["first", "again"]) await git.run(["clone", "--quiet", "--bare", gitUrl(target, "big"), join(git.folder, `big-${copy}.git`)]);
    target.http.close();
    return memoryOf(server.pid).peakBytes / mebibyte;
  } finally {
    await server.stop();
  }
}

/** A commit with files of random bytes, for git-fast-import(1). */
async function* noise(files: number, fileBytes: number): AsyncGenerator<Buffer> {
  yield Buffer.from("commit refs/heads/main\ncommitter Bench <bench@example.org> 1704164645 +0000\ndata 6\nNoise\n\n");
  for (let file = 0; file < files; file += 1) {
    yield Buffer.from(`M 100644 inline noise-${file}.bin\ndata ${fileBytes}\n`);
    yield randomBytes(fileBytes);
    yield Buffer.from("\n");
  }
}

export const processWork: readonly FigureItem[] = [
  { id: "start-first", title: "first start to first response", unit: "ms", ceiling: 300, take: async () => median(await startTimes(1)) },
  {
    id: "start",
    title: "start to first response",
    unit: "ms",
    ceiling: 300,
    take: async (_git, isShort) => median((await startTimes(isShort ? 2 : 10)).slice(1)),
  },
  { id: "idle", title: "idle memory", unit: "MB", ceiling: 120, take: idleMemory },
  { id: "big-pack", title: "peak memory, push and clone of 300 MB", unit: "MB", ceiling: 250, take: bigPackMemory },
  {
    id: "big-asset",
    title: "peak memory, release file of 1 GB",
    unit: "MB",
    ceiling: 250,
    take: (_git, isShort) => largeAssetMemory(isShort ? 50 : 1024),
  },
  {
    id: "big-bucket-asset",
    title: "peak memory, release file of 1 GB in S3",
    unit: "MB",
    ceiling: 250,
    take: (_git, isShort) => bucketAssetMemory(isShort ? 50 : 1024),
  },
  {
    id: "big-object",
    title: "peak memory, LFS object of 1 GB",
    unit: "MB",
    ceiling: 250,
    take: (_git, isShort) => largeObjectMemory(isShort ? 50 : 1024),
  },
];
