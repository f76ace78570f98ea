import type { UserActor } from "../../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../../access/subjects.ts";
import { mapInTurns } from "../../../../../core/turns.ts";
import type { Db, Tx } from "../../../../../db/db.ts";
import { type RefsChanged, type RefUpdateEvent, recordEvent } from "../../../../../events/events.ts";
import { walkBetween, walkCommits } from "../../../../../git/objects/walk.ts";
import type { GitStore, GitStores } from "../../../../../git/stores.ts";
import type { Commit } from "../../../../../git/types.ts";
import { loadUsers } from "../../../../accounts/users/service/accounts.ts";
import { codeStore } from "../../../../repositories/branches/service/deps.ts";
import { branchPrefix } from "../../../../repositories/refs/model.ts";
import { findRef } from "../../../../repositories/refs/service/read.ts";
import { findRepositoriesById } from "../../../../repositories/repos/service/find.ts";
import { asActor } from "../../../../repositories/repos/service/user-rights.ts";
import { insertEntries } from "../../conversation/store/comments.ts";
import { loadIssueRows } from "../../store/rows.ts";
import { listIssuesThatMention } from "../store.ts";
import { readReferences, type TextReferences } from "../text-references.ts";
import { applyKeyword, type FoundReference, findReferenced, mentionedUsers } from "./references.ts";

export interface CommitReferenceDeps {
  readonly db: Db;
  readonly git: GitStores;
}

/** Maximum number of processed commits per push; the newest of a longer push. */
const maxCommits = 100;
/** Messages of this length are read in a turn of the event loop each. */
const longMessage = 50_000;
/** For the first push to a repository. */
const maxFirstCommits = 10;

/** A commit whose message names issues or users. */
interface NamingCommit {
  readonly commit: Commit;
  readonly named: TextReferences;
  /** Whether the commit reached the default branch, where its closing keywords take effect. */
  readonly isDefault: boolean;
}

/**
 * Adds timeline entries to the issues that messages of pushed commits name, notifies mentioned users, and closes or reopens issues once the
 * commits are on the default branch, with the rights of the pusher. Skips commits that an issue already lists, and commits of imported or
 * adopted repositories.
 * @param actorId null without a pusher: then does nothing
 */
export async function noteCommits(deps: CommitReferenceDeps, change: RefsChanged, actorId: number | null): Promise<void> {
  if (change.via === "server") return;
  const updates = change.updates.filter(({ name, newOid }) => name.startsWith(branchPrefix) && newOid !== null);
  const pusher = actorId === null || updates.length === 0 ? undefined : (await loadUsers(deps, [actorId])).get(actorId);
  if (pusher === undefined) return;
  const actor = asActor(pusher);
  const repository = (await findRepositoriesById(deps, [change.repoId], actor)).get(change.repoId);
  if (repository === undefined) return;
  const store = codeStore(deps, repository);
  for (const update of updates) {
    const naming = await namingCommits(deps, store, repository, update);
    // Oldest first: the latest action wins.
    for (const commit of naming.reverse()) await deps.db.tx((tx) => noteCommit(tx, actor, repository, commit));
  }
}

async function namingCommits(deps: CommitReferenceDeps, store: GitStore, repository: RepositorySubject, update: RefUpdateEvent): Promise<NamingCommit[]> {
  const isDefault = update.name === branchPrefix + repository.defaultBranch;
  const place = { owner: repository.ownerName, name: repository.name };
  const commits = await newCommits(deps, store, repository, update);
  const read = (commit: Commit): NamingCommit => ({ commit, named: readReferences(commit.message, place), isDefault });
  const all = await mapInTurns(commits, read, ({ message }) => Math.min(message.length, longMessage) / 10);
  return all.filter(({ named: { issues, accounts, teams } }) => issues.length + accounts.length + teams.length > 0);
}

async function newCommits(
  { db }: CommitReferenceDeps,
  store: GitStore,
  repository: RepositorySubject,
  { name, oldOid, newOid }: RefUpdateEvent,
): Promise<readonly Commit[]> {
  if (newOid === null) return [];
  if (oldOid !== null) return walkBetween(store, newOid, oldOid, maxCommits);
  const base = name === branchPrefix + repository.defaultBranch ? undefined : await findRef(db, store.id, branchPrefix + repository.defaultBranch);
  if (base !== undefined) return walkBetween(store, newOid, base.oid, maxCommits);
  return (await walkCommits(store, newOid, { skip: 0, limit: maxFirstCommits })) ?? [];
}

async function noteCommit(tx: Tx, actor: UserActor, repository: RepositorySubject, { commit, named, isDefault }: NamingCommit): Promise<void> {
  const mentionedIds = await mentionedUsers(tx, actor, repository, "repo.code", named);
  const context = { repoId: repository.id, actorId: actor.id };
  if (mentionedIds.length > 0) await recordEvent(tx, "commit.mentioned", { repoId: repository.id, oid: commit.oid, mentionedIds }, context);
  const found = await findReferenced(tx, actor, repository, named.issues);
  if (found.length === 0) return;
  const idOf = ({ id }: FoundReference): number => id;
  const known = await listIssuesThatMention(tx, found.map(idOf), commit.oid, ["commit_ref"]);
  const fresh = found.filter(({ id }) => !known.has(id));
  await insertEntries(
    tx,
    fresh.map(({ id, repoId }) => ({
      issueId: id,
      repoId,
      kind: "commit_ref" as const,
      posterId: actor.id,
      content: commitLink(repository.ownerName, repository.name, commit),
      payload: { commitOid: commit.oid, commitRepoId: repository.id },
    })),
  );
  // An issue already references the commit from another branch and must still be closed when the commit reaches the default branch.
  if (isDefault) await applyKeywords(tx, actor, repository, commit, found);
}

/** Closes and reopens issues of the same repository, once per commit. */
async function applyKeywords(tx: Tx, actor: UserActor, repository: RepositorySubject, { oid }: Commit, found: readonly FoundReference[]): Promise<void> {
  const asking = found.filter(({ action, repoId }) => action !== "none" && repoId === repository.id);
  const ids = asking.map(({ id }) => id);
  const done = await listIssuesThatMention(tx, ids, oid, ["close", "reopen"]);
  const rows = await loadIssueRows(tx, ids);
  for (const { id, action } of asking) {
    const issue = rows.get(id);
    if (issue !== undefined && !done.has(id)) await applyKeyword(tx, actor, repository, issue, { isClosed: action === "closes", commitOid: oid });
  }
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** @compat the entry of a commit is a link with the first line of its message (references/commits.test.ts) */
export function commitLink(ownerName: string, name: string, { oid, message }: Commit): string {
  const [line = ""] = message.split("\n", 1);
  return `<a href="/${ownerName}/${name}/commit/${oid}">${escaped(line)}</a>`;
}
