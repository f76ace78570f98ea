import { findEntry, readBlob, readInfo } from "../../../../git/objects/objects.ts";
import { isOid } from "../../../../git/run/commands.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Oid } from "../../../../git/types.ts";
import { ignoredRevsFile } from "../model.ts";

const maxFileBytes = 128 * 1024;
/** Further commits are not ignored: each one is an argument of git. */
const maxIgnored = 1_000;

/** The commits that the file at the root of a tree names, without those that do not exist; undefined without such a file. No statement. */
export async function readIgnoredRevs(store: GitStore, rootTreeOid: Oid): Promise<readonly Oid[] | undefined> {
  const entry = await findEntry(store, rootTreeOid, ignoredRevsFile);
  const blob = entry?.mode.startsWith("100") ? await readBlob(store, entry.oid, maxFileBytes) : undefined;
  if (blob?.data === undefined) return undefined;
  const named = blob.data
    .toString("latin1")
    .split("\n")
    .map((line) => line.replace(/#.*/s, "").trim().toLowerCase())
    .filter(isOid);
  const oids = [...new Set(named)].slice(0, maxIgnored);
  const infos = await Promise.all(oids.map((oid) => readInfo(store, oid)));
  return oids.filter((_oid, index) => infos[index]?.type === "commit");
}
