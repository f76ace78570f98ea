import { arch, platform, release } from "node:os";
import { productVersion } from "../core/product-version.ts";
import type { LogShippingView, ServerStatusView } from "../features/site/admin/model.ts";
import type { Environment } from "../features/site/admin/self-check/model.ts";
import { gitWarning } from "../git/run/git-version.ts";
import type { BackupWatch } from "./backup-state.ts";
import type { Context } from "./context.ts";
import { pathsOpenToOthers } from "./data-directory.ts";
import type { SshState } from "./ssh.ts";

export interface Began {
  readonly startedMs: number;
  readonly gitVersion: string;
  readonly warnings: readonly string[];
  readonly backups: BackupWatch;
  readonly logShipping: (() => LogShippingView) | undefined;
}

/** The environment of the process, which the self-check looks at. */
export const describeEnvironment = ({ config, urls }: Context): Environment => ({
  origin: urls.origin,
  hasRootUrl: config.server.root_url !== "",
  openPaths: pathsOpenToOthers(config.dataDirectory).map(({ path, mode }) => `${path} (${mode.toString(8).padStart(4, "0")})`),
  mailHost: config.mail.host,
});

const databases = { sqlite: "SQLite", postgres: "PostgreSQL" } as const;

/** Details of the process and its environment for administrators. */
export const describeServer = ({ config, db }: Context, { startedMs, gitVersion, warnings, backups, logShipping }: Began, ssh: SshState): ServerStatusView => ({
  version: productVersion,
  startedMs,
  database: databases[db.dialect],
  git: gitVersion,
  isGitOutdated: gitWarning(gitVersion) !== undefined,
  node: process.version,
  system: `${platform()} ${release()} ${arch()}`,
  dataDirectory: config.dataDirectory,
  ssh: ssh.kind === "open" ? "listening" : ssh.kind === "taken" ? "failed" : "off",
  sshPlace: ssh.kind === "open" ? `:${ssh.port}` : ssh.kind === "taken" ? ssh.place : "",
  warnings,
  backup: backups.state(),
  logShipping: logShipping?.(),
});
