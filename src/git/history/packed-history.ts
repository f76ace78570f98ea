import { streamGit } from "../run/runner.ts";
import { type GitStore, isPresent } from "../stores.ts";
import type { ObjectFormat, Oid, PackedOids } from "../types.ts";
import { type HistoryQuery, historyCommand } from "./log.ts";

/** All commits of a filtered history. One process. @throws ForgeError `refused` as `listCommitOids` */
export async function walkHistory(store: GitStore, query: HistoryQuery): Promise<PackedOids> {
  if (query.tipOids.length === 0 || !(await isPresent(store))) return Buffer.alloc(0);
  const { command, options } = historyCommand(query);
  const { stdout } = await streamGit(store, command, options);
  const parts: Buffer[] = [];
  let rest = "";
  for await (const chunk of stdout as AsyncIterable<Buffer>) {
    const digits = rest + chunk.toString("latin1").replaceAll("\n", "");
    const end = digits.length - (digits.length % 2);
    parts.push(Buffer.from(digits.slice(0, end), "hex"));
    rest = digits.slice(end);
  }
  return Buffer.concat(parts);
}

const bytesOf = (format: ObjectFormat): number => (format === "sha1" ? 20 : 32);

export const packOids = (oids: readonly Oid[]): PackedOids => Buffer.from(oids.join(""), "hex");

export const countPacked = (packed: PackedOids, format: ObjectFormat): number => packed.length / bytesOf(format);

export function slicePacked(packed: PackedOids, format: ObjectFormat, { skip, limit }: { readonly skip: number; readonly limit: number }): Oid[] {
  const width = bytesOf(format);
  const count = Math.max(0, Math.min(limit, countPacked(packed, format) - skip));
  return Array.from({ length: count }, (_, at) => packed.toString("hex", (skip + at) * width, (skip + at + 1) * width));
}
