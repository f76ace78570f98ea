import { join } from "node:path";
import { invalid, tooLarge } from "../../core/errors.ts";
import { emptyTreeOid } from "../objects/hash.ts";
import { decodeName } from "../objects/names.ts";
import { readInfo, readObject } from "../objects/objects.ts";
import { createQuarantine } from "../receive/pack.ts";
import { outOfMemory } from "../run/resource-limit.ts";
import { type GitTarget, runGit } from "../run/runner.ts";
import type { GitStore } from "../stores.ts";
import type { FileMode, GitObject, Oid } from "../types.ts";
import type { TreeChange } from "./tree-edit.ts";

export interface PatchRequest {
  /** Undefined for a tree that does not exist yet. */
  readonly treeOid: Oid | undefined;
  /** In the format of `git diff`. */
  readonly patch: string;
  /** Maximum total size of the files that the patch changes. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

export interface AppliedPatch {
  /** Removals first, so that a file can replace a directory. */
  readonly steps: readonly TreeChange[];
  /** The blobs of written files; not stored yet. */
  readonly blobs: readonly GitObject[];
}

const timeoutMs = 30_000;

/**
 * Applies a patch to a tree, in a temporary index and a quarantine that is discarded. There is no working tree, so a path in a patch never
 * refers to the server's file system. The result is validated again when the tree is edited.
 * @throws ForgeError `invalid` for an invalid or inapplicable patch, `too_large`
 */
export async function applyPatch(store: GitStore, { treeOid, patch, maxBytes, signal }: PatchRequest): Promise<AppliedPatch> {
  const fromOid = treeOid ?? emptyTreeOid(store.format);
  const quarantine = await createQuarantine(store);
  const inside = quarantine.store;
  const indexFile = join(inside.objectsPath, "index");
  const target: GitTarget = {
    runner: inside.runner,
    key: inside.key,
    environment: async () => ({ ...(await inside.environment()), GIT_INDEX_FILE: indexFile }),
  };
  const options = { signal, timeoutMs };
  try {
    await runGit(target, { name: "read-tree", revisions: [fromOid] }, options);
    const applied = await runGit(target, { name: "apply", flags: { "--cached": true, "--whitespace": "nowarn" } }, { ...options, stdin: patch, accept: "any" });
    if (applied.code !== 0) throw refusal(applied.stderr);
    const toOid = (await runGit(target, { name: "write-tree" }, options)).stdout.toString("latin1").trim();
    const flags = { "--raw": true, "-r": true, "-z": true, "--no-renames": true } as const;
    const { stdout } = await runGit(target, { name: "diff-tree", flags, revisions: [fromOid, toOid] }, options);
    const changes = parseRaw(stdout);
    return { steps: toSteps(changes), blobs: await readBlobs(inside, changes, maxBytes) };
  } finally {
    await quarantine.discard();
  }
}

/** Git's message about a patch names only paths and lines of the patch itself, so it is safe to return. */
function refusal(stderr: string) {
  if (outOfMemory.test(stderr)) return tooLarge("the patch exceeds the server's limits; apply it locally and push");
  const [line = ""] = stderr.split("\n").filter((text) => text.startsWith("error: "));
  const reason = line
    .slice("error: ".length)
    .replace(/[^\x20-\x7e]/g, "?")
    .slice(0, 300);
  return invalid(reason === "" ? "the patch cannot be applied" : `the patch cannot be applied: ${reason}`);
}

interface RawChange {
  readonly path: string;
  /** Undefined if the file was removed. */
  readonly now: { readonly mode: Exclude<FileMode, "040000">; readonly oid: Oid } | undefined;
}

/** `:100644 100755 <oid> <oid> M`, NUL, path, NUL (git-diff-tree(1), raw output format). */
function parseRaw(output: Buffer): RawChange[] {
  const changes: RawChange[] = [];
  for (let at = 0; at < output.length; ) {
    const middle = output.indexOf(0, at);
    const end = output.indexOf(0, middle + 1);
    const [, mode = "", , oid = ""] = output.toString("latin1", at + 1, middle).split(" ");
    const path = decodeName(output.subarray(middle + 1, end));
    changes.push({ path, now: mode === "000000" ? undefined : { mode: mode as "100644", oid } });
    at = end + 1;
  }
  return changes;
}

function toSteps(changes: readonly RawChange[]): TreeChange[] {
  const removals = changes.filter(({ now }) => now === undefined).map(({ path }) => ({ kind: "remove", path }) as const);
  const puts = changes.flatMap(({ path, now }) => (now === undefined ? [] : [{ kind: "put", path, ...now } as const]));
  return [...removals, ...puts];
}

async function readBlobs(store: GitStore, changes: readonly RawChange[], maxBytes: number): Promise<GitObject[]> {
  const oids = [...new Set(changes.flatMap(({ now }) => (now === undefined || now.mode === "160000" ? [] : [now.oid])))];
  const infos = await Promise.all(oids.map((oid) => readInfo(store, oid)));
  const sizeBytes = infos.reduce((sum, info) => sum + (info?.sizeBytes ?? 0), 0);
  if (sizeBytes > maxBytes) throw tooLarge(`the files changed by the patch exceed the limit of ${maxBytes} bytes`);
  const blobs = await Promise.all(oids.map((oid) => readObject(store, oid, maxBytes)));
  return blobs.filter((blob) => blob !== undefined);
}
