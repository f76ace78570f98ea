import { historyCommand } from "./log.ts";
import { runGit } from "./runner.ts";
import { type GitStore, isPresent } from "./stores.ts";
import type { Oid } from "./types.ts";

/** A commit and what it follows, the first parent first. */
export interface GraphCommit {
  readonly oid: Oid;
  readonly parentOids: readonly Oid[];
}

/** The newest commits that some tips lead to, none before all of those that follow it. One process. */
export async function listGraph(store: GitStore, tipOids: readonly Oid[], limit: number, signal?: AbortSignal): Promise<readonly GraphCommit[]> {
  if (tipOids.length === 0 || limit === 0 || !(await isPresent(store))) return [];
  const { command, options } = historyCommand({ tipOids, signal }, { "--max-count": limit, "--date-order": true, "--parents": true });
  const { stdout } = await runGit(store, command, options);
  const lines = stdout.toString("latin1").trimEnd().split("\n");
  return lines.map((line) => {
    const [oid = "", ...parentOids] = line.split(" ");
    return { oid, parentOids };
  });
}
