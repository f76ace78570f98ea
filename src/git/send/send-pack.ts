import { streamGit } from "../run/runner.ts";
import type { GitStore } from "../stores.ts";
import type { Oid } from "../types.ts";

/** A pack for another server's repository. */
export interface PackRequest {
  readonly wantOids: readonly Oid[];
  /** Objects of this store that the other repository has, with their dependencies. */
  readonly haveOids: readonly Oid[];
  readonly signal?: AbortSignal | undefined;
}

/** Streams a thin pack of all wanted objects that the other side lacks. @throws ForgeError as `streamGit`, also from the stream */
export async function streamPack(store: GitStore, { wantOids, haveOids, signal }: PackRequest): Promise<AsyncIterable<Uint8Array>> {
  const revisions = [...wantOids, ...haveOids.map((oid) => `^${oid}`)];
  const { stdout } = await streamGit(
    store,
    { name: "pack-objects", flags: { "--revs": true, "--stdout": true, "--thin": true, "--delta-base-offset": true, "--quiet": true } },
    { stdin: `${revisions.join("\n")}\n`, signal },
  );
  return stdout;
}
