import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ObjectFormat } from "../types.ts";

/**
 * Environment of every git process: a private home, the server's own configuration file, and no variables of the server.
 * No hooks, pager, prompt, system attribute file, replacement objects, or network protocols.
 */

const settings = `[core]
\tfsync = all
\tfsyncMethod = fsync
\tbigFileThreshold = 16m
\thooksPath = /dev/null
\tattributesFile = /dev/null
\texcludesFile = /dev/null
\tlogAllRefUpdates = false
\tprotectHFS = true
\tprotectNTFS = true
\tquotePath = false
\tmaxTreeDepth = 2048
\tfsmonitor = false
\tcommitGraph = true
\tmultiPackIndex = true
[gc]
\tauto = 0
\tautoDetach = false
\tpackRefs = false
\tpruneExpire = 2.weeks.ago
[maintenance]
\tauto = false
[pack]
\twindowMemory = 64m
\tdeltaCacheSize = 64m
\tallowPackReuse = true
[repack]
\tupdateServerInfo = false
[receive]
\tautogc = false
\tfsckObjects = true
[fsck]
\tbadTimezone = ignore
\tmissingSpaceBeforeDate = ignore
\tzeroPaddedFilemode = ignore
[transfer]
\tfsckObjects = true
\tadvertiseSID = false
\tbundleURI = false
[uploadpack]
\tallowFilter = true
\tallowAnySHA1InWant = true
[uploadpackfilter]
\tallow = true
[uploadpackfilter "sparse:oid"]
\tallow = false
[uploadpackfilter "tree"]
\tmaxDepth = 64
[diff]
\trenameLimit = 1000
\tsuppressBlankEmpty = false
\talgorithm = myers
\tindentHeuristic = true
[merge]
\trenameLimit = 1000
\tconflictStyle = merge
[log]
\tshowSignature = false
\tmailmap = false
\texcludeDecoration = *
[i18n]
\tlogOutputEncoding = UTF-8
[color]
\tui = false
[advice]
\tdetachedHead = false
[user]
\tuseConfigOnly = true
[init]
\tdefaultBranch = main
[protocol]
\tallow = never
\tversion = 2
[submodule]
\trecurse = false
[fetch]
\trecurseSubmodules = false
[safe]
\tdirectory = *
\tbareRepository = all
`;

/** Config of the server's bare repositories: only the settings that decide how objects are read. */
export function repositoryConfig(format: ObjectFormat): string {
  return format === "sha1"
    ? "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n"
    : "[core]\n\trepositoryformatversion = 1\n\tfilemode = true\n\tbare = true\n[extensions]\n\tobjectformat = sha256\n";
}

export interface GitHome {
  readonly directory: string;
  /** A repository without refs and objects: working directory of object processes, so that no ref can be mistaken for an id. */
  neutralDirectory(format: ObjectFormat): string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Writes the private home into an existing directory. It is rewritten at each start, so it need not be durable. */
export function createGitHome(directory: string, searchPath: string): GitHome {
  const neutralDirectory = (format: ObjectFormat): string => join(directory, `${format}.git`);
  mkdirSync(directory, { recursive: true });
  const configFile = join(directory, "gitconfig");
  writeFileSync(configFile, settings);
  for (const format of ["sha1", "sha256"] as const) {
    const neutral = neutralDirectory(format);
    for (const name of ["objects", "refs"]) mkdirSync(join(neutral, name), { recursive: true });
    writeFileSync(join(neutral, "HEAD"), "ref: refs/heads/none\n");
    writeFileSync(join(neutral, "config"), repositoryConfig(format));
  }
  const environment = {
    PATH: searchPath,
    HOME: directory,
    LC_ALL: "C",
    TZ: "UTC",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: configFile,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_PAGER: "cat",
    GIT_TERMINAL_PROMPT: "0",
  };
  return { directory, neutralDirectory, environment };
}

/** The `Git-Protocol` header of a request, as passed to git; any value other than a plain version is dropped. */
export function gitProtocol(header: string | undefined): string | undefined {
  return header !== undefined && /^version=[012]$/.test(header) ? header : undefined;
}
