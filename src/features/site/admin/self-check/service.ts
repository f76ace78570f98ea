import type { Clock } from "../../../../core/clock.ts";
import type { Db } from "../../../../db/db.ts";
import { hasDataChecksums } from "../../../../db/integrity.ts";
import { readServerClock } from "../../../../db/server-check.ts";
import { isTrial } from "../../../../db/trial.ts";
import { countJobs } from "../../../../jobs/store.ts";
import type { BackupView, LogShippingView, ServerStatusView } from "../model.ts";
import { listStoreProblems } from "../service/store-problems.ts";
import { isBehind } from "./log-delay.ts";
import type { CheckedPart, CheckResult, Environment, Finding } from "./model.ts";

export interface SelfCheckDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly environment: () => Environment;
  readonly serverDetails: () => ServerStatusView;
}

const none = { page: 1, limit: 1, offset: 0 };

/** Checks that take a bounded time, however much the server stores. @param host of the request */
export async function checkSelf(deps: SelfCheckDeps, host: string): Promise<readonly CheckResult[]> {
  const { db } = deps;
  const details = deps.serverDetails();
  const environment = deps.environment();
  const { failed } = await countJobs(db);
  const { total } = await listStoreProblems(deps, none);
  const { openPaths } = environment;
  return [
    ofAddress(environment, host),
    details.isGitOutdated ? bad("git", "git_outdated", details.git) : good("git", details.git),
    openPaths.length === 0 ? good("permissions") : bad("permissions", "permissions_open", openPaths.join(", ")),
    ...(await ofDatabase(deps, details.database)),
    ofBackups(details.backup),
    ...ofLog(details.logShipping),
    environment.mailHost === "" ? hint("mail", "mail_unset") : good("mail", environment.mailHost),
    ofSsh(details),
    ...((await isTrial(db)) ? [hint("trial", "trial_on")] : []),
    total === 0 ? good("stores") : bad("stores", "stores_problems", `${total}`),
    failed === 0 ? good("jobs") : bad("jobs", "jobs_failed", `${failed}`),
  ];
}

const good = (part: Exclude<CheckedPart, "trial">, value = ""): CheckResult => ({ part, state: "good", finding: `${part}_good`, value });
const hint = (part: CheckedPart, finding: Finding, value = ""): CheckResult => ({ part, state: "hint", finding, value });
const bad = (part: CheckedPart, finding: Finding, value = ""): CheckResult => ({ part, state: "bad", finding, value });

/** Proxies can change the scheme that the server sees, so only hosts are compared. */
function ofAddress({ origin, hasRootUrl }: Environment, host: string): CheckResult {
  const linked = new URL(origin).host;
  if (linked === host.toLowerCase()) return good("address", origin);
  return hasRootUrl ? hint("address", "address_differs", `${linked}, ${host}`) : bad("address", "address_unset", origin);
}

/** An embedded database shares the clock of the server, and SQLite has no checksums of rows. */
async function ofDatabase({ db, clock }: SelfCheckDeps, name: string): Promise<readonly CheckResult[]> {
  const server = await readServerClock(db, clock);
  if (server === undefined) return [good("database", name)];
  const { version, skewMs, isSkewed } = server;
  return [
    good("database", version),
    isSkewed ? bad("clock", "clock_differs", (Math.abs(skewMs) / 1_000).toFixed(1)) : good("clock"),
    (await hasDataChecksums(db)) ? good("checksums") : hint("checksums", "checksums_off"),
  ];
}

function ofBackups(backup: BackupView | undefined): CheckResult {
  if (backup === undefined) return hint("backups", "backups_unset");
  if (backup.failure !== undefined) return bad("backups", "backups_failed");
  if (!backup.isStale) return good("backups");
  return bad("backups", backup.newest === undefined ? "backups_none" : "backups_old");
}

function ofLog(log: LogShippingView | undefined): readonly CheckResult[] {
  if (log === undefined) return [];
  return [isBehind(log) ? bad("log", "log_behind") : good("log")];
}

function ofSsh({ ssh, sshPlace }: Pick<ServerStatusView, "ssh" | "sshPlace">): CheckResult {
  if (ssh === "failed") return bad("ssh", "ssh_failed", sshPlace);
  return ssh === "off" ? hint("ssh", "ssh_off") : good("ssh", sshPlace);
}
