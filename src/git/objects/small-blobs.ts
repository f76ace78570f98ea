import { isOid } from "../run/commands.ts";
import { streamGit } from "../run/runner.ts";
import type { GitStore } from "../stores.ts";
import type { Oid } from "../types.ts";

/** Blobs smaller than this are small. */
export const smallBlobBytes = 1024;

/** All small blobs in the history of some tips, as git lists them. Nonexistent tips are ignored. One process. */
export async function* listSmallBlobs(store: GitStore, tipOids: readonly Oid[], signal?: AbortSignal): AsyncGenerator<Oid, void, undefined> {
  if (tipOids.length === 0) return;
  const flags = { "--objects": true, "--no-object-names": true, "--filter": "combine:object:type=blob+blob:limit=1024", "--stdin": true } as const;
  const { stdout } = await streamGit(store, { name: "rev-list", flags }, { stdin: `${[...new Set(tipOids)].join("\n")}\n`, signal });
  let rest = "";
  for await (const chunk of stdout as AsyncIterable<Buffer>) {
    const lines = (rest + chunk.toString("latin1")).split("\n");
    rest = lines.pop() ?? "";
    yield* lines.filter(isOid);
  }
  if (isOid(rest)) yield rest;
}
