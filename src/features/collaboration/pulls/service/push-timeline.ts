import type { RepositorySubject } from "../../../../access/subjects.ts";
import { messageTitle } from "../../../../core/commit-message.ts";
import { isForgeError } from "../../../../core/errors.ts";
import { readCommits } from "../../../../git/objects/objects.ts";
import type { Oid } from "../../../../git/types.ts";
import { canReadCode } from "../../issues/rights.ts";
import type { FoundPull } from "../model.ts";
import type { PullDeps } from "./deps.ts";
import { storeWithHead } from "./heads.ts";
import { type PushEntry, readPushText } from "./pushed-commits.ts";

export interface ShownPush extends PushEntry {
  /** Titles of commits that can still be read. */
  readonly titles: ReadonlyMap<Oid, string>;
}

/** A timeline entry names this many commits at most. */
const maxNamed = 20;

/**
 * The pushes of timeline entries, by the entry's id, with the titles of their commits. No statement; no process if the commits are in the store.
 */
export async function loadPushes(
  deps: Pick<PullDeps, "db" | "git">,
  repository: RepositorySubject,
  pull: FoundPull,
  entries: readonly { readonly id: number; readonly kind: string; readonly content: string }[],
): Promise<ReadonlyMap<number, ShownPush>> {
  const pushes = entries.flatMap(({ id, kind, content }) => {
    const push = kind === "pull_push" ? readPushText(content) : undefined;
    return push === undefined ? [] : [[id, push] as const];
  });
  const oids = [...new Set(pushes.flatMap(([, { commitOids }]) => commitOids.slice(-maxNamed)))];
  const titles = oids.length > 0 && canReadCode(repository) ? await titlesOf(deps, repository, pull, oids) : new Map<Oid, string>();
  return new Map(pushes.map(([id, push]) => [id, { ...push, titles }]));
}

async function titlesOf(
  deps: Pick<PullDeps, "db" | "git">,
  repository: RepositorySubject,
  pull: FoundPull,
  oids: readonly Oid[],
): Promise<ReadonlyMap<Oid, string>> {
  try {
    const commits = await readCommits(await storeWithHead(deps, repository, pull), oids);
    return new Map(commits.flatMap((commit) => (commit === undefined ? [] : [[commit.oid, messageTitle(commit.message)] as const])));
  } catch (error) {
    // The head was deleted with its fork before it was copied.
    if (isForgeError(error, "not_found") || isForgeError(error, "invalid")) return new Map();
    throw error;
  }
}
