import type { Batch } from "../../db/row-batch.ts";
import { sealRemote } from "../../features/repositories/mirrors/service/remote.ts";
import { type GitAddress, readGitAddress } from "../../outgoing/git-address.ts";
import type { Conversion } from "./context.ts";
import { readRemotes } from "./git-config.ts";
import type { RepositoryPlan } from "./repositories.ts";
import { type ForeignRow, flagOf, millisOf, millisOrNull, numberOf, textOf } from "./source.ts";

const nanosPerMilli = 1_000_000;
const intervalOf = (row: ForeignRow): number => Math.max(0, Math.round(numberOf(row.interval) / nanosPerMilli));

/** The address with the credentials that only the configuration of the repository has. @returns undefined if Hearth cannot use it */
function addressOf(configured: string | undefined, stored: string): GitAddress | undefined {
  for (const text of [configured, stored]) {
    const read = text === undefined || text === "" ? "local" : readGitAddress(text);
    if (typeof read !== "string") return read;
  }
  return undefined;
}

/** The source of a mirror. @returns whether the repository stays a mirror */
export async function addPullMirrorRow({ source, report, sealer }: Conversion, plan: RepositoryPlan, batch: Batch): Promise<boolean> {
  const [row] = await source.database.all("select * from mirror where repo_id = ? order by id limit 1", [plan.id]);
  const address = row && addressOf(readRemotes(plan.codePath).get("origin"), textOf(row.remote_address));
  if (row === undefined || address === undefined) {
    report.without("mirrors of addresses that Hearth cannot use, which become repositories that are not updated", plan.shownAs);
    return false;
  }
  const wiki = addressOf(readRemotes(plan.wikiPath).get("origin"), "");
  const intervalMs = intervalOf(row);
  batch.add("pull_mirrors", {
    repo_id: plan.id,
    ...sealRemote({ sealer }, address),
    wiki_address: wiki?.url.href ?? null,
    interval_ms: intervalMs,
    next_sync_ms: intervalMs === 0 ? null : millisOrNull(row.next_update_unix),
    synced_ms: millisOf(row.updated_unix),
  });
  report.count("mirrors", 1);
  if (flagOf(row.lfs_enabled) === 1) report.without("mirrors of Git LFS objects: later objects are not fetched", plan.shownAs);
  return true;
}

/** Targets to which the repository is pushed. */
export async function addPushMirrorRows({ source, report, sealer }: Conversion, plan: RepositoryPlan, batch: Batch): Promise<void> {
  const rows = await source.database.all("select * from push_mirror where repo_id = ? order by id", [plan.id]);
  const remotes = rows.length === 0 ? new Map<string, string>() : readRemotes(plan.codePath);
  const names = new Set<string>();
  for (const row of rows) {
    const name = textOf(row.remote_name);
    const address = addressOf(remotes.get(name), textOf(row.remote_address));
    if (address === undefined || name === "" || names.has(name)) {
      report.without("push mirrors to addresses that Hearth cannot use", `${plan.shownAs} ${name}`);
      continue;
    }
    names.add(name);
    const intervalMs = intervalOf(row);
    const [createdMs, syncedMs] = [millisOf(row.created_unix), millisOf(row.last_update)];
    batch.add("push_mirrors", {
      id: numberOf(row.id),
      repo_id: plan.id,
      name,
      ...sealRemote({ sealer }, address),
      interval_ms: intervalMs,
      syncs_on_commit: flagOf(row.sync_on_commit),
      next_sync_ms: intervalMs === 0 ? null : Math.max(createdMs, syncedMs) + intervalMs,
      synced_ms: syncedMs,
      last_error: textOf(row.last_error).slice(0, 1_000).toWellFormed(),
      created_ms: createdMs,
    });
    report.count("push mirrors", 1);
  }
}
