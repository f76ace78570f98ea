import type { RepositorySubject } from "../../../../access/subjects.ts";
import { isForgeError } from "../../../../core/errors.ts";
import { mergeBases } from "../../../../git/history/log.ts";
import { nearMergeBases } from "../../../../git/history/merge-bases.ts";
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

/** The commits that a timeline entry names for a new pull request or base, the oldest first. The store has both commits. */
export async function namedCommits(store: GitStore, headOid: Oid, formerOid: Oid): Promise<readonly Oid[]> {
  return (await walkBetween(store, headOid, formerOid, maxEntryCommits)).map(({ oid }) => oid).reverse();
}

type Ends = Pick<PullRow, "baseTipOid" | "merged">;

/**
 * The commits of a push to a head that are not in the base, newest first: those that a merge of the base brings are not part of the pull request.
 * The store has the commits of the push and the base. No process for a push without merges.
 * @compat Gitea excludes the base from the timeline entry (pulls/api/merges.test.ts)
 */
export async function commitsOfPush(store: GitStore, pull: Ends, { headOid, formerHeadOid }: HeadPush, limit = maxEntryCommits): Promise<readonly Commit[]> {
  const commits = await walkBetween(store, headOid, formerHeadOid, limit);
  const baseOid = pull.merged?.baseOid ?? pull.baseTipOid;
  if (baseOid === null || baseOid === undefined || commits.every(({ parentOids }) => parentOids.length < 2)) return commits;
  const common = (await nearMergeBases(store, baseOid, headOid)) ?? (await mergeBases(store, baseOid, headOid));
  // The base can contain the push by now.
  return common.includes(headOid) ? commits : walkBetween(store, headOid, [formerHeadOid, ...common], limit);
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

/** Commits of a push that are not in the base, newest first; empty if they have been removed, and for readers without access to code. */
export async function listPushedCommits(
  deps: Pick<PullDeps, "db" | "git">,
  repository: RepositorySubject,
  pull: Ends & Pick<PullRow, "headStoreId">,
  push: HeadPush,
  limit: number,
): Promise<readonly Commit[]> {
  if (!canReadCode(repository)) return [];
  try {
    const store = await storeWithHead(deps, repository, { headStoreId: pull.headStoreId, headOid: push.headOid });
    return await commitsOfPush(store, pull, push, limit);
  } catch (error) {
    if (isForgeError(error, "not_found") || isForgeError(error, "invalid")) return [];
    throw error;
  }
}
