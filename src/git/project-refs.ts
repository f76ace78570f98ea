import { existsSync, readdirSync, readFileSync, unlinkSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { isMissing, onStorage, replaceFiles, syncDirectory } from "./durable-fs.ts";
import { type GitStore, isPresent, materialize } from "./stores.ts";
import type { Oid } from "./types.ts";

/** The refs of a store as the database has them. */
export interface RefProjection {
  /** Full name of the branch that HEAD stands for; it need not exist. */
  readonly headRef: string;
  readonly refs: readonly ProjectedRef[];
}

export interface ProjectedRef {
  readonly name: string;
  readonly oid: Oid;
  /** What an annotated tag leads to; empty for everything else. */
  readonly peeledOid: string;
}

/**
 * Makes the refs on disk what the database says: one `packed-refs` file, HEAD, and no loose ref beside them. Each file is replaced in one
 * step, so git processes that read meanwhile see whole refs, old or new. Repeating it changes nothing.
 * Callers run one at a time per store, under the lease of the job.
 * @throws ForgeError `unavailable` when the storage refuses
 */
export async function projectRefs(store: GitStore, projection: RefProjection): Promise<void> {
  if (projection.refs.length === 0 && !(await isPresent(store))) return;
  await materialize(store);
  await onStorage(async () => {
    // The lock of a git process that died in the middle; nobody but this function writes refs.
    for (const lock of ["packed-refs.lock", "HEAD.lock"].map((name) => join(store.path, name))) if (existsSync(lock)) ifPresent(() => unlinkSync(lock));
    const files = [
      { name: "packed-refs", content: formatPackedRefs(projection.refs) },
      { name: "HEAD", content: headContent(projection.headRef) },
    ];
    const isDifferent = ({ name, content }: (typeof files)[number]): boolean => ifPresent(() => readFileSync(join(store.path, name), "utf8")) !== content;
    await replaceFiles(store.path, files.filter(isDifferent));
    await removeLooseRefs(join(store.path, "refs"));
  });
}

export const headContent = (headRef: string): string => `ref: ${headRef}\n`;

/** The file's text (git's refs/packed-backend.c): sorted by bytes, annotated tags with what they lead to. */
export function formatPackedRefs(refs: readonly ProjectedRef[]): string {
  const lines = ["# pack-refs with: peeled fully-peeled sorted "];
  for (const { name, oid, peeledOid } of [...refs].sort(compareRefNames)) {
    lines.push(`${oid} ${name}`);
    if (peeledOid !== "") lines.push(`^${peeledOid}`);
  }
  return `${lines.join("\n")}\n`;
}

function compareRefNames(a: ProjectedRef, b: ProjectedRef): number {
  return Buffer.compare(Buffer.from(a.name), Buffer.from(b.name));
}

/** A loose ref hides the packed one of its name. Only something that ran beside the server can have made it. */
async function removeLooseRefs(directory: string): Promise<void> {
  const names = readdirSync(directory);
  if (names.length === 0) return;
  await Promise.all(names.map((name) => rm(join(directory, name), { recursive: true, force: true })));
  await syncDirectory(directory);
}

/** What is not there is undefined. */
function ifPresent<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
