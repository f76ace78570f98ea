import type { JobView } from "../../../jobs/store.ts";
import type { Sample } from "./samples.ts";

export type { JobView } from "../../../jobs/store.ts";

/** What administrators decorate users with. */
export interface BadgeView {
  readonly id: number;
  readonly slug: string;
  readonly description: string;
  readonly imageUrl: string;
}

/** What goes with an account: some names of each, and how many there are. */
export interface Possessions {
  readonly repositories: { readonly names: readonly string[]; readonly total: number };
  /** Those that nobody else owns. */
  readonly organizations: { readonly names: readonly string[]; readonly total: number };
}

/** What the server is made of, and where it runs. */
export interface ServerStatusView {
  readonly version: string;
  readonly startedMs: number;
  readonly database: string;
  readonly git: string;
  /** It has holes that are known, unless its distributor has mended them. */
  readonly isGitOutdated: boolean;
  readonly node: string;
  readonly system: string;
  readonly dataDirectory: string;
  readonly ssh: "off" | "listening" | "failed";
  /** Where git over SSH is had; empty where it is not. */
  readonly sshPlace: string;
  /** What an operator should mend, though everything works. */
  readonly warnings: readonly string[];
}

/** How the server is, and how it was for an hour. */
export interface StatusView {
  readonly server: ServerStatusView;
  readonly jobs: Readonly<Record<JobView["state"], number>>;
  readonly samples: readonly Sample[];
}
