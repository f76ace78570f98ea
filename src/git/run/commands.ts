import type { Oid } from "../types.ts";

/**
 * The git subcommands that the server may run, each with its allowed flags. Every command line is built by {@link commandLine}: unlisted
 * flags are rejected, revisions are object ids, and paths follow `--`.
 */

/** Kind of work: limits and queues are per lane, so that many clones do not block the web interface. */
export type Lane = "read" | "transfer" | "maintenance";

/**
 * Value of a flag. `switch`: none. `count`: an integer. `text`: a string after `=`, so that it cannot be parsed as an option.
 * `optional`: none or a string. `oids`, `texts`: several, each with its own flag. A list: one of its values.
 */
type FlagKind = "switch" | "count" | "text" | "texts" | "oid" | "oids" | "optional" | readonly string[];

export interface CommandDescription {
  readonly lane: Lane;
  readonly flags: Readonly<Record<string, FlagKind>>;
  /** Arguments that may follow the name: `write` of `commit-graph write`. */
  readonly words?: readonly string[];
  /** False if git does not accept `--end-of-options` before revisions. */
  readonly endOfOptions?: false;
  /**
   * Works on everything reachable, so it requires a snapshot of the refs (`ref-snapshots.ts`): without refs it would delete all objects.
   */
  readonly readsRefs?: true;
  /** Runs with a memory limit: pushed data can make it allocate any amount. */
  readonly boundedMemory?: true;
}

/** Flags of all commands that walk history. */
const walkFlags = {
  "--all-match": "switch",
  "--author": "texts",
  "--count": "switch",
  "--date-order": "switch",
  "--topo-order": "switch",
  "--first-parent": "switch",
  "--fixed-strings": "switch",
  "--follow": "switch",
  "--full-history": "switch",
  "--grep": "texts",
  "--ignore-missing": "switch",
  "--left-right": "switch",
  "--max-count": "count",
  "--merges": "switch",
  "--no-merges": "switch",
  "--no-walk": "optional",
  "--not": "switch",
  "--objects": "switch",
  "--parents": "switch",
  "--quiet": "switch",
  "--regexp-ignore-case": "switch",
  "--reverse": "switch",
  "--since": "text",
  "--skip": "count",
  "--stdin": "switch",
  "--until": "text",
  "--use-bitmap-index": "switch",
} as const;

/** Flags of all commands that print differences. Every caller turns off external drivers and text conversions. */
const diffFlags = {
  "--abbrev": "count",
  "--binary": "switch",
  "--cc": "switch",
  "--find-renames": "optional",
  "--full-index": "switch",
  "--diff-filter": "text",
  "--diff-merges": ["off", "first-parent", "separate", "combined", "dense-combined"],
  "--format": "text",
  "--ignore-all-space": "switch",
  "--ignore-space-at-eol": "switch",
  "--ignore-space-change": "switch",
  "--name-only": "switch",
  "--name-status": "switch",
  "--no-abbrev": "switch",
  "--no-color": "switch",
  "--no-commit-id": "switch",
  "--no-ext-diff": "switch",
  "--no-notes": "switch",
  "--no-patch": "switch",
  "--no-prefix": "switch",
  "--no-renames": "switch",
  "--no-textconv": "switch",
  "--numstat": "switch",
  "--patch": "switch",
  "--raw": "switch",
  "--root": "switch",
  "--shortstat": "switch",
  "--stat": "switch",
  "--src-prefix": "text",
  "--dst-prefix": "text",
  "--submodule": ["short"],
  "--summary": "switch",
  "--unified": "count",
  "-c": "switch",
  "-l": "count",
  "-m": "switch",
  "-r": "switch",
  "-t": "switch",
  "-z": "switch",
} as const;

export const commands = {
  "cat-file": {
    lane: "transfer",
    words: ["blob"],
    endOfOptions: false,
    flags: { "--batch-check": ["%(rest)"], "--batch-command": "switch", "--buffer": "switch", "-z": "switch" },
  },
  log: { lane: "read", boundedMemory: true, flags: { ...walkFlags, ...diffFlags, "--pretty": ["raw"] } },
  "rev-list": {
    lane: "read",
    flags: {
      ...walkFlags,
      "--filter": ["combine:object:type=blob+blob:limit=1024"],
      "--format": "text",
      "--no-commit-header": "switch",
      "--no-object-names": "switch",
      "--timestamp": "switch",
    },
  },
  "diff-tree": { lane: "read", boundedMemory: true, flags: { ...diffFlags, "--stdin": "switch", "--always": "switch", "--pretty": "text" } },
  diff: { lane: "read", boundedMemory: true, flags: diffFlags },
  "format-patch": {
    lane: "read",
    boundedMemory: true,
    flags: { ...diffFlags, "--stdout": "switch", "--max-count": "count", "--no-signature": "switch", "--signature": "text", "--no-numbered": "switch" },
  },
  "for-each-ref": {
    lane: "read",
    readsRefs: true,
    words: ["refs/heads", "refs/tags"],
    flags: { "--contains": "oid", "--count": "count", "--format": "text", "--sort": "text" },
  },
  "range-diff": { lane: "read", boundedMemory: true, endOfOptions: false, flags: { "--no-color": "switch" } },
  blame: { lane: "read", boundedMemory: true, endOfOptions: false, flags: { "--porcelain": "switch", "--ignore-rev": "oids" } },
  grep: {
    lane: "read",
    boundedMemory: true,
    endOfOptions: false,
    flags: { "-F": "switch", "-I": "switch", "-e": "text", "-i": "switch", "-n": "switch", "-z": "switch", "--max-count": "count", "--threads": "count" },
  },
  "merge-base": { lane: "read", flags: { "--all": "switch", "--is-ancestor": "switch", "--octopus": "switch" } },
  "merge-tree": {
    lane: "read",
    boundedMemory: true,
    flags: {
      "--write-tree": "switch",
      "--allow-unrelated-histories": "switch",
      "--messages": "switch",
      "--no-messages": "switch",
      "--name-only": "switch",
      "-z": "switch",
    },
  },
  "read-tree": { lane: "read", boundedMemory: true, endOfOptions: false, flags: {} },
  apply: { lane: "read", boundedMemory: true, flags: { "--cached": "switch", "--whitespace": ["nowarn"] } },
  "write-tree": { lane: "read", boundedMemory: true, flags: {} },
  archive: { lane: "transfer", endOfOptions: false, flags: { "--format": ["zip", "tar", "tar.gz"], "--prefix": "text" } },
  "pack-objects": {
    lane: "transfer",
    endOfOptions: false,
    flags: {
      "--stdout": "switch",
      "--revs": "switch",
      "--thin": "switch",
      "--delta-base-offset": "switch",
      "--quiet": "switch",
    },
  },
  "index-pack": {
    lane: "transfer",
    boundedMemory: true,
    endOfOptions: false,
    flags: {
      "--stdin": "switch",
      "--fix-thin": "switch",
      "--strict": "optional",
      "--fsck-objects": "switch",
      "--max-input-size": "count",
      "--threads": "count",
      "-v": "switch",
    },
  },
  "upload-pack": {
    lane: "transfer",
    endOfOptions: false,
    flags: { "--stateless-rpc": "switch", "--strict": "switch", "--timeout": "count", "--http-backend-info-refs": "switch" },
  },
  "commit-graph": {
    lane: "maintenance",
    words: ["write", "verify"],
    flags: {
      "--stdin-commits": "switch",
      "--changed-paths": "switch",
      "--split": "optional",
      "--no-progress": "switch",
      "--max-new-filters": "count",
    },
  },
  "multi-pack-index": {
    lane: "maintenance",
    readsRefs: true,
    words: ["write", "verify", "expire", "repack"],
    flags: { "--no-progress": "switch", "--bitmap": "switch", "--batch-size": "text" },
  },
  repack: {
    lane: "maintenance",
    readsRefs: true,
    flags: {
      "-a": "switch",
      "-A": "switch",
      "-d": "switch",
      "-l": "switch",
      "-q": "switch",
      "-n": "switch",
      "--cruft": "switch",
      "--cruft-expiration": "text",
      "--expire-to": "text",
      "--geometric": "count",
      "--keep-pack": "texts",
      "--unpack-unreachable": "text",
      "--write-midx": "switch",
      "--write-bitmap-index": "switch",
      "--keep-unreachable": "switch",
      "--window-memory": "text",
    },
  },
  prune: { lane: "maintenance", readsRefs: true, flags: { "--expire": "text", "--no-progress": "switch" } },
  "prune-packed": { lane: "maintenance", flags: { "--quiet": "switch" } },
  "count-objects": { lane: "maintenance", flags: { "-v": "switch" } },
  fsck: {
    lane: "maintenance",
    readsRefs: true,
    flags: { "--full": "switch", "--strict": "switch", "--no-progress": "switch", "--no-dangling": "switch", "--connectivity-only": "switch" },
  },
} as const satisfies Record<string, CommandDescription>;

export type CommandName = keyof typeof commands;

type FlagValue<K> = K extends "switch"
  ? boolean
  : K extends "count"
    ? number
    : K extends "text" | "oid"
      ? string
      : K extends "oids"
        ? readonly Oid[]
        : K extends "texts"
          ? readonly string[]
          : K extends "optional"
            ? boolean | string
            : K extends readonly (infer W)[]
              ? W
              : never;

export type Flags<N extends CommandName> = {
  readonly [F in keyof (typeof commands)[N]["flags"]]?: FlagValue<(typeof commands)[N]["flags"][F]> | undefined;
};

/** One run of a subcommand. */
export interface GitCommand<N extends CommandName = CommandName> {
  readonly name: N;
  readonly words?: readonly string[];
  readonly flags?: Flags<N>;
  /** `<oid>`, `^<oid>`, `<oid>..<oid>` or `<oid>...<oid>`. Never `<oid>:<path>`: resolve paths first. */
  readonly revisions?: readonly string[];
  /** Literal paths; they follow `--`. */
  readonly paths?: readonly string[];
  /** Only for `upload-pack`: the repository argument, which is the working directory. */
  readonly directory?: string;
}

const oidPattern = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const revisionPattern = /^\^?([0-9a-f]{64}|[0-9a-f]{40})(?:\.{2,3}([0-9a-f]{64}|[0-9a-f]{40}))?$/;

/** Whether a string is a complete object id of either format: 40 or 64 lower-case hex digits. */
export function isOid(text: string): text is Oid {
  return oidPattern.test(text);
}

function flagArgument(command: string, flag: string, kind: FlagKind | undefined, value: unknown): string | undefined {
  if (value === undefined || value === false) return undefined;
  const separator = flag.startsWith("--") ? "=" : "";
  const fits =
    kind === "switch"
      ? value === true
      : kind === "count"
        ? Number.isSafeInteger(value) && (value as number) >= 0
        : kind === "oid"
          ? typeof value === "string" && isOid(value)
          : kind === "text"
            ? typeof value === "string"
            : kind === "optional"
              ? value === true || typeof value === "string"
              : kind?.includes(value as string) === true;
  if (!fits || (typeof value === "string" && value.includes("\0"))) throw new TypeError(`git ${command} does not accept ${flag} with this value`);
  return value === true ? flag : `${flag}${separator}${value}`;
}

/** Builds the arguments of a git command. Throws a TypeError for anything not listed in the table: that is a bug, not invalid input. */
export function commandLine<N extends CommandName>(command: GitCommand<N>): string[] {
  const description: CommandDescription = commands[command.name];
  const line: string[] = [command.name];
  for (const word of command.words ?? []) {
    if (!description.words?.includes(word)) throw new TypeError(`git ${command.name} does not accept the argument ${word}`);
    line.push(word);
  }
  for (const [flag, value] of Object.entries(command.flags ?? {})) {
    const kind = Object.hasOwn(description.flags, flag) ? description.flags[flag] : undefined;
    const values: readonly (readonly [FlagKind | undefined, unknown])[] =
      (kind === "oids" || kind === "texts") && Array.isArray(value) ? value.map((one: unknown) => [kind === "oids" ? "oid" : "text", one]) : [[kind, value]];
    for (const [one, given] of values) {
      const argument = flagArgument(command.name, flag, one, given);
      if (argument !== undefined) line.push(argument);
    }
  }
  const revisions = command.revisions ?? [];
  if (revisions.length > 0 && description.endOfOptions !== false) line.push("--end-of-options");
  for (const revision of revisions) {
    if (!revisionPattern.test(revision)) throw new TypeError(`git ${command.name} takes object ids, not names`);
    line.push(revision);
  }
  if (command.directory !== undefined) line.push(command.directory);
  if (command.paths !== undefined) {
    line.push("--");
    for (const path of command.paths) {
      if (path.includes("\0")) throw new TypeError("a path must not contain NUL");
      line.push(path);
    }
  }
  return line;
}
