/** A part of the server that the self-check looks at. */
export type CheckedPart =
  | "address"
  | "git"
  | "permissions"
  | "database"
  | "clock"
  | "checksums"
  | "backups"
  | "log"
  | "mail"
  | "ssh"
  | "trial"
  | "stores"
  | "jobs";

/** `hint`: works, but something is not configured or has a limit. */
export type CheckState = "good" | "hint" | "bad";

/** The environment of the process, which only the program knows. */
export interface Environment {
  /** Origin of all links, from the configuration. */
  readonly origin: string;
  readonly hasRootUrl: boolean;
  /** Paths of the data folder with permissions for other users of the machine, with their modes. */
  readonly openPaths: readonly string[];
  /** Empty: no email is sent. */
  readonly mailHost: string;
}

export type Finding =
  | `${Exclude<CheckedPart, "trial">}_good`
  | `address_${"unset" | "differs"}`
  | "git_outdated"
  | "permissions_open"
  | "clock_differs"
  | "checksums_off"
  | `backups_${"unset" | "none" | "old" | "failed"}`
  | "log_behind"
  | "mail_unset"
  | `ssh_${"off" | "failed"}`
  | "trial_on"
  | "stores_problems"
  | "jobs_failed";

/** The texts name the part and say the finding. */
export interface CheckResult {
  readonly part: CheckedPart;
  readonly state: CheckState;
  readonly finding: Finding;
  /** The value in its text. */
  readonly value: string;
}
