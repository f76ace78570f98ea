import { randomUUID } from "node:crypto";
import { rm, statfs, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Config } from "../../../config/config.ts";
import type { Db } from "../../../db/db.ts";
import { type FileStores, probeFiles } from "../../../storage/open.ts";
import { countPublicUsers, pingDatabase } from "./store.ts";

type Status = "pass" | "warn" | "fail";

interface Check {
  readonly status: Status;
  readonly time: string;
  readonly output: string;
}

/** In the format of Gitea's `/api/healthz`: the draft of health checks for HTTP APIs. */
export interface Health {
  /** The worst of the checks. */
  readonly status: Status;
  readonly description: string;
  readonly checks: Readonly<Record<string, readonly Check[]>>;
}

export interface HealthDeps {
  readonly db: Db;
  readonly config: Config;
}

/** The endpoint is public, so results are cached for this time. */
const keptMs = 2_000;
/** About the size of a commit with its rows. */
const probe = Buffer.alloc(65_536);
/** Less free space than this, or than a tenth of a small disk, is a warning. */
const lowBytes = 2 ** 30;
const lowShare = 0.1;

/** Checks each required component. At most one check runs at a time. */
export function createHealthCheck(deps: HealthDeps): () => Promise<Health> {
  let last: { readonly health: Promise<Health>; readonly untilMs: number } | undefined;
  return () => {
    const nowMs = performance.now();
    if (last === undefined || nowMs >= last.untilMs) last = { health: checkHealth(deps), untilMs: nowMs + keptMs };
    return last.health;
  };
}

export interface ReadinessDeps extends HealthDeps, Pick<FileStores, "files"> {
  /** Aborted when the server is about to stop. */
  readonly draining: AbortSignal;
}

/** A bucket that answers later is too slow. */
const bucketMs = 2_000;

/**
 * Checks whether the server can take requests: its health, and that it is not about to stop. Without the bucket a server is ready, because
 * it serves its copies and takes small changes, and other servers are no better off.
 */
export function createReadinessCheck(deps: ReadinessDeps, checkHealth: () => Promise<Health>): () => Promise<Health> {
  const usesBucket = deps.config.storage.url !== "";
  let last: { readonly bucket: Promise<Check>; readonly untilMs: number } | undefined;
  const checkBucket = (): Promise<Check> => {
    const nowMs = performance.now();
    if (last === undefined || nowMs >= last.untilMs) last = { bucket: check(() => askBucket(deps)), untilMs: nowMs + keptMs };
    return last.bucket;
  };
  return async () => {
    const [{ status, checks, description }, bucket] = await Promise.all([checkHealth(), usesBucket ? checkBucket() : undefined]);
    const time = new Date().toISOString();
    const draining: Check = deps.draining.aborted ? { status: "fail", time, output: "the server is about to stop" } : { ...passed, time };
    const all = { ...checks, ...(bucket && { "storage:bucket": [bucket] }), "server:draining": [draining] };
    const worst = draining.status === "fail" ? "fail" : status === "pass" && bucket !== undefined ? bucket.status : status;
    return { status: worst, description, checks: all };
  };
}

async function askBucket(deps: Pick<FileStores, "files">): Promise<Omit<Check, "time">> {
  const late = new Promise<"late">((resolve) => setTimeout(resolve, bucketMs, "late").unref());
  const answer = await Promise.race([
    probeFiles(deps).then(
      () => "in time" as const,
      () => "error" as const,
    ),
    late,
  ]);
  return answer === "in time" ? passed : { status: "warn", output: answer === "late" ? "does not answer" : "cannot be used" };
}

async function checkHealth({ db, config }: HealthDeps): Promise<Health> {
  const database = db.dialect === "sqlite" ? sqliteFolder(config) : undefined;
  const named: readonly (readonly [string, () => Promise<Omit<Check, "time">>])[] = [
    ["database:ping", () => pingDatabase(db).then(() => passed)],
    // PostgreSQL stops on a full disk, and then does not answer the ping.
    ...(database === undefined ? [] : [["database:write", () => checkSpace(database)] as const]),
    ["storage:write", () => checkSpace(config.dataDirectory)],
  ];
  const results = await Promise.all(named.map(async ([name, ask]) => [name, [await check(ask)]] as const));
  const statuses = results.map(([, [{ status }]]) => status);
  const status = (["fail", "warn"] as const).find((one) => statuses.includes(one)) ?? "pass";
  return { status, description: "Hearth", checks: Object.fromEntries(results) };
}

const passed = { status: "pass", output: "" } as const;

async function check(ask: () => Promise<Omit<Check, "time">>): Promise<Check> {
  const time = new Date().toISOString();
  try {
    return { ...(await ask()), time };
  } catch (error) {
    return { status: "fail", time, output: reasonOf(error) };
  }
}

/** The reason without paths of the machine or the database's address. */
function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOSPC" || code === "EDQUOT") return "the disk is full";
  if (code === "EACCES" || code === "EPERM" || code === "EROFS") return "cannot be written";
  return "does not answer";
}

/** Writes and deletes a file. @throws the file system's error */
async function checkSpace(folder: string): Promise<Omit<Check, "time">> {
  const path = join(folder, `health-check-${randomUUID()}`);
  try {
    await writeFile(path, probe);
  } finally {
    await rm(path, { force: true });
  }
  const { bavail, blocks, bsize } = await statfs(folder);
  const freeBytes = bavail * bsize;
  return freeBytes < Math.min(lowBytes, blocks * bsize * lowShare) ? { status: "warn", output: `${Math.floor(freeBytes / 2 ** 20)} MiB left` } : passed;
}

function sqliteFolder({ dataDirectory, database: { url } }: Config): string {
  return url === "" ? dataDirectory : dirname(url.replace(/^sqlite:(?:\/\/)?/, ""));
}

export const countUsers = (deps: { readonly db: Db }): Promise<number> => countPublicUsers(deps.db);
