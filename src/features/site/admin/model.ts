import type { UpkeepState } from "../../../git/maintain/upkeep.ts";
import type { JobView } from "../../../jobs/store.ts";
import type { Sample } from "./samples.ts";

export type { JobView } from "../../../jobs/store.ts";

/** A badge that administrators can give to users. */
export interface BadgeView {
  readonly id: number;
  readonly slug: string;
  readonly description: string;
  readonly imageUrl: string;
}

/** Possessions that are deleted with an account: some names and the total of each kind. */
export interface Possessions {
  readonly repositories: { readonly names: readonly string[]; readonly total: number };
  /** Organizations of which the account is the only owner. */
  readonly organizations: { readonly names: readonly string[]; readonly total: number };
}

/** The server's components and environment. */
export interface ServerStatusView {
  readonly version: string;
  readonly startedMs: number;
  readonly database: string;
  readonly git: string;
  /** The version has known vulnerabilities, unless the distributor has patched it. */
  readonly isGitOutdated: boolean;
  readonly node: string;
  readonly system: string;
  readonly dataDirectory: string;
  readonly ssh: "off" | "listening" | "failed";
  /** The address of the SSH server; empty if it is disabled. */
  readonly sshPlace: string;
  /** Problems to fix even though everything works. */
  readonly warnings: readonly string[];
  /** Undefined if no folder of backups is configured. */
  readonly backup: BackupView | undefined;
  /** Undefined if no bucket is configured. */
  readonly logShipping: LogShippingView | undefined;
}

/** Expensive requests: pages, packs and archives. */
export interface LoadView {
  readonly working: number;
  readonly waiting: number;
  /** Refusals since the server started. */
  readonly refusedUsers: number;
  readonly refusedAnonymous: number;
}

/** The log of the database in a bucket. */
export interface LogShippingView {
  /** Age of the oldest acknowledged change that is not in the bucket; 0 if all are. */
  readonly lagMs: number;
  readonly lagBytes: number;
  /** Time of the newest state in the bucket; undefined before the first copy of the database. */
  readonly shippedMs: number | undefined;
  /** Why the last attempt failed; undefined if it succeeded. */
  readonly failure: string | undefined;
}

/** The backups of the server. */
export interface BackupView {
  /** The newest complete backup; undefined if there is none. */
  readonly newest: { readonly createdMs: number; readonly sizeBytes: number | undefined; readonly seconds: number | undefined } | undefined;
  readonly verifiedMs: number | undefined;
  /** Missing, or older than the configured age. */
  readonly isStale: boolean;
  /** The last scheduled backup, if it failed. */
  readonly failure?: { readonly failedMs: number; readonly reason: string } | undefined;
}

/** The maintenance of stores by this process, and the number of stores that wait for it. */
export interface UpkeepView extends UpkeepState {
  readonly waiting: number;
}

/** The server's status and its samples of the last hour. */
export interface StatusView {
  readonly server: ServerStatusView;
  readonly jobs: Readonly<Record<JobView["state"], number>>;
  readonly samples: readonly Sample[];
}
