import { streamGit } from "../run/runner.ts";
import type { GitStore } from "../stores.ts";
import type { Oid } from "../types.ts";

/** What somebody else's repository is to get. */
export interface PackRequest {
  readonly wantOids: readonly Oid[];
  /** Objects of this store that are there already, with all that they need. */
  readonly haveOids: readonly Oid[];
  readonly signal?: AbortSignal | undefined;
}

/** A thin pack of all that is wanted and not there, as it is made. @throws ForgeError as `streamGit`, from the stream too */
export async function streamPack(store: GitStore, { wantOids, haveOids, signal }: PackRequest): Promise<AsyncIterable<Uint8Array>> {
  const revisions = [...wantOids, ...haveOids.map((oid) => `^${oid}`)];
  const { stdout } = await streamGit(
    store,
    { name: "pack-objects", flags: { "--revs": true, "--stdout": true, "--thin": true, "--delta-base-offset": true, "--quiet": true } },
    { stdin: `${revisions.join("\n")}\n`, signal },
  );
  return stdout;
}
