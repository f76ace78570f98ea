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

/** A figure of the program as a whole, taken on servers of its own. */
export interface FigureItem {
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  readonly ceiling?: number;
  take(git: GitClient, isShort: boolean): Promise<number>;
}

const mebibyte = 1024 * 1024;

/** The first start makes the database and the administrator; later ones find them. @returns how long each took, in ms */
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

/** Pushes and clones a pack of noise. @returns how much memory the server's own process takes at most meanwhile */
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

/** One commit with files of random bytes, for git-fast-import(1). */
async function* noise(files: number, fileBytes: number): AsyncGenerator<Buffer> {
  yield Buffer.from("commit refs/heads/main\ncommitter Bench <bench@example.org> 1704164645 +0000\ndata 6\nNoise\n\n");
  for (let file = 0; file < files; file += 1) {
    yield Buffer.from(`M 100644 inline noise-${file}.bin\ndata ${fileBytes}\n`);
    yield randomBytes(fileBytes);
    yield Buffer.from("\n");
  }
}

export const processWork: readonly FigureItem[] = [
  { id: "start-first", title: "start to first answer, new data folder", unit: "ms", ceiling: 300, take: async () => median(await startTimes(1)) },
  {
    id: "start",
    title: "start to first answer",
    unit: "ms",
    ceiling: 300,
    take: async (_git, isShort) => median((await startTimes(isShort ? 2 : 10)).slice(1)),
  },
  { id: "idle", title: "memory, idle", unit: "MB", ceiling: 120, take: idleMemory },
  { id: "big-pack", title: "memory at most, 300 MB pushed and cloned", unit: "MB", ceiling: 250, take: bigPackMemory },
  {
    id: "big-asset",
    title: "memory at most, 1 GB of a release up and down",
    unit: "MB",
    ceiling: 250,
    take: (_git, isShort) => largeAssetMemory(isShort ? 50 : 1024),
  },
  {
    id: "big-bucket-asset",
    title: "memory at most, 1 GB of a release up and down, in a bucket",
    unit: "MB",
    ceiling: 250,
    take: (_git, isShort) => bucketAssetMemory(isShort ? 50 : 1024),
  },
  {
    id: "big-object",
    title: "memory at most, 1 GB of git lfs up and down",
    unit: "MB",
    ceiling: 250,
    take: (_git, isShort) => largeObjectMemory(isShort ? 50 : 1024),
  },
];
