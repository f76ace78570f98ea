import type { RepositorySubject } from "../../../../access/subjects.ts";
import { isForgeError } from "../../../../core/errors.ts";
import { walkBetween } from "../../../../git/objects/walk.ts";
import { isOid } from "../../../../git/run/commands.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Commit, Oid } from "../../../../git/types.ts";
import { canReadCode } from "../../issues/rights.ts";
import type { PullRow } from "../model.ts";
import type { PullDeps } from "./deps.ts";
import { storeWithHead } from "./heads.ts";

/** The timeline entry of a push names this many commits at most. */
export const maxEntryCommits = 100;

/** The commits that a timeline entry names for a head, the oldest first. The store has both commits. */
export async function namedCommits(store: GitStore, headOid: Oid, formerOid: Oid): Promise<readonly Oid[]> {
  return (await walkBetween(store, headOid, formerOid, maxEntryCommits)).map(({ oid }) => oid).reverse();
}

/** @compat the `body` of a `pull_push` entry is JSON in a text (pulls/api/merges.test.ts) */
export const pushText = (commitOids: readonly string[], isForced: boolean): string => JSON.stringify({ is_force_push: isForced, commit_ids: commitOids });

/** The content of the timeline entry of a push. */
export interface PushEntry {
  /** The push replaced commits: `commitOids` are the former and the new head. */
  readonly isForced: boolean;
  /** The oldest first. */
  readonly commitOids: readonly Oid[];
}

/** Reads {@link pushText}; undefined for another text, such as an imported one. */
export function readPushText(text: string): PushEntry | undefined {
  const [, forced, list] = /^\{"is_force_push":(true|false),"commit_ids":\[([0-9a-f",]*)\]\}$/.exec(text) ?? [];
  if (list === undefined) return undefined;
  return {
    isForced: forced === "true",
    commitOids: list
      .split(",")
      .map((quoted) => quoted.slice(1, -1))
      .filter(isOid),
  };
}

/** A push to the head of a pull request. */
export interface HeadPush {
  readonly headOid: Oid;
  readonly formerHeadOid: Oid;
}

/** Commits of a push, newest first; empty if they have been removed, and for readers without access to code. */
export async function listPushedCommits(
  deps: Pick<PullDeps, "db" | "git">,
  repository: RepositorySubject,
  pull: Pick<PullRow, "headStoreId">,
  { headOid, formerHeadOid }: HeadPush,
  limit: number,
): Promise<readonly Commit[]> {
  if (!canReadCode(repository)) return [];
  try {
    const store = await storeWithHead(deps, repository, { headStoreId: pull.headStoreId, headOid });
    return await walkBetween(store, headOid, formerHeadOid, limit);
  } catch (error) {
    if (isForgeError(error, "not_found") || isForgeError(error, "invalid")) return [];
    throw error;
  }
}
