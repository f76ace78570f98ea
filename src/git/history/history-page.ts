import { streamGit } from "../run/runner.ts";
import { type GitStore, isPresent } from "../stores.ts";
import type { BrowsedPage, CountedOids, Oid } from "../types.ts";
import { type HistoryPage, historyCommand, listCommitOids } from "./log.ts";

const newline = 0x0a;

/**
 * A page of a filtered history and the total number of commits. One process, because git has to walk the entire history to count it.
 * @throws ForgeError `refused` as `listCommitOids`
 */
export async function pageHistory(store: GitStore, query: HistoryPage): Promise<CountedOids> {
  if (query.tipOids.length === 0 || !(await isPresent(store))) return { oids: [], total: 0 };
  const { command, options } = historyCommand(query, {});
  const { stdout } = await streamGit(store, command, options);
  const first = query.skip ?? 0;
  const end = first + query.limit;
  const oids: Oid[] = [];
  let total = 0;
  let line = "";
  for await (const chunk of stdout as AsyncIterable<Buffer>) {
    let start = 0;
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, start)) {
      // Only the lines of the requested page are decoded.
      if (total >= first && total < end) oids.push(line + chunk.toString("latin1", start, at));
      line = "";
      total += 1;
      start = at + 1;
    }
    if (start < chunk.length && total >= first && total < end) line += chunk.toString("latin1", start);
  }
  return { oids, total };
}

/** A page of a filtered history without its total. One process, which walks to the end of the page. @throws ForgeError as {@link pageHistory} */
export async function browseHistory(store: GitStore, query: HistoryPage): Promise<BrowsedPage> {
  const oids = await listCommitOids(store, { ...query, limit: query.limit + 1 });
  return { oids: oids.slice(0, query.limit), total: undefined, hasNext: oids.length > query.limit };
}
