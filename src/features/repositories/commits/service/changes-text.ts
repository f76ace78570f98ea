import type { Readable } from "node:stream";
import { streamDiff, streamPatches } from "../../../../git/history/diff.ts";
import { openKept } from "../../../../git/send/kept-response.ts";
import type { PackCache } from "../../../../git/send/pack-cache.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Oid } from "../../../../git/types.ts";

export interface TextDeps {
  readonly packCache: PackCache;
}

/** The changes between two commits as text. */
export interface ChangesText {
  /** Undefined for the empty tree, or for the patch of one commit. */
  readonly fromOid: Oid | undefined;
  readonly toOid: Oid;
  /** A patch is for `git am`. */
  readonly form: "diff" | "patch";
  readonly binary?: boolean;
  /** Patches end with the version of git. @compat Gitea writes it for pull requests and comparisons, not for commits (pulls/api/pulls.test.ts). */
  readonly hasSignature?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Longer texts are truncated. */
const maxTextBytes = 100 * 1024 * 1024;

/** Streams the changes between two commits. One process; none if the same text was sent before. */
export function streamChangesText(
  { packCache }: TextDeps,
  store: GitStore,
  { fromOid, toOid, form, binary = false, hasSignature = false, signal }: ChangesText,
): Promise<Readable> {
  const stream = form === "diff" ? streamDiff : streamPatches;
  const make = async (end: AbortSignal): Promise<Readable> =>
    (await stream(store, fromOid, toOid, { binary, hasSignature, signal: end, maxBytes: maxTextBytes })).stdout;
  return openKept(packCache, store, { key: [form, fromOid ?? null, toOid, binary, hasSignature], make, signal });
}
