import { historyCommand } from "../history/log.ts";
import { createFieldSplitter } from "../run/nul-fields.ts";
import { streamGit } from "../run/runner.ts";
import { type GitStore, isPresent } from "../stores.ts";
import type { Oid } from "../types.ts";

export interface GraphCommit {
  readonly oid: Oid;
  /** In order; at most the first {@link maxGraphParents}. */
  readonly parentOids: readonly Oid[];
  readonly parentCount: number;
}

/** Maximum number of parents kept per commit. A merge can have thousands. */
export const maxGraphParents = 64;

const maxOutputBytes = 64 * 1024 * 1024;
const timeoutMs = 60_000;

/**
 * The newest commits reachable from the tips, each before its parents. One process, whose output is streamed.
 * @throws ForgeError `unavailable` if git fails or writes more than 64 MiB
 */
export async function listGraph(store: GitStore, tipOids: readonly Oid[], limit: number, signal?: AbortSignal): Promise<readonly GraphCommit[]> {
  if (tipOids.length === 0 || limit === 0 || !(await isPresent(store))) return [];
  const { command, options } = historyCommand({ tipOids, signal }, { "--max-count": limit, "--date-order": true, "--parents": true });
  const { stdout } = await streamGit(store, command, { ...options, maxOutputBytes, timeoutMs });
  const lines = createFieldSplitter(newline);
  const commits: GraphCommit[] = [];
  for await (const chunk of stdout) for (const line of lines.push(chunk)) commits.push(parseLine(line));
  const rest = lines.end();
  return rest === undefined ? commits : [...commits, parseLine(rest)];
}

const newline = 0x0a;

/** `oid parent parent ...` */
function parseLine(line: Buffer): GraphCommit {
  const space = line.indexOf(0x20);
  const oidLength = space === -1 ? line.length : space;
  const ids = line.toString("latin1", 0, (oidLength + 1) * (1 + maxGraphParents)).trimEnd();
  const [oid = "", ...parentOids] = ids.split(" ");
  return { oid, parentOids, parentCount: Math.floor(line.length / (oidLength + 1)) - (line.length % (oidLength + 1) === oidLength ? 0 : 1) };
}
