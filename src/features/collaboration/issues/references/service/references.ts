import type { UserActor } from "../../../../../access/actor.ts";
import { atLeast, type Unit } from "../../../../../access/repository.ts";
import type { RepositorySubject } from "../../../../../access/subjects.ts";
import { isForgeError } from "../../../../../core/errors.ts";
import type { Reader, Tx } from "../../../../../db/db.ts";
import { blockersAmong } from "../../../../accounts/users/service/blocks.ts";
import { findUsersByNames } from "../../../../accounts/users/service/by-names.ts";
import { usersOfTeams } from "../../../../organizations/teams/service/mentions.ts";
import { findRepository } from "../../../../repositories/repos/service/find.ts";
import { rightsOfUsers } from "../../../../repositories/repos/service/user-rights.ts";
import { parseCommentPayload } from "../../conversation/comment-payload.ts";
import { hangNamedUploads } from "../../conversation/service/uploads.ts";
import { insertEntries, type NewEntry } from "../../conversation/store/comments.ts";
import { hasOpenDependency } from "../../links/store/dependencies.ts";
import type { IssueRow } from "../../model.ts";
import { insertMentions } from "../../planning/store/links.ts";
import { canEditIssue, canReadIssue, unitOf } from "../../rights.ts";
import { changeIssue } from "../../service/change.ts";
import { setState } from "../../service/set-state.ts";
import { findIssuesByNumbers, listReferencesFrom, type ReferencedIssue, updateReferencePayload } from "../store.ts";
import { type IssueReference, readReferences, type TextReferences } from "../text-references.ts";

/** Maximum number of other repositories whose issues are looked up for one text. */
const maxRepositories = 5;

/** A user's text: an issue's title and content, or a comment. */
export interface WrittenText {
  readonly issue: Pick<IssueRow, "id" | "repoId" | "isPull">;
  /** Null: the issue's own text. */
  readonly commentId: number | null;
  readonly text: string;
  /** The text before an edit. */
  readonly formerText?: string;
}

/**
 * Records the effects of a text in the transaction that stores it: mentions, timeline entries of referenced issues, and attached uploads.
 * References that an edit removes stay in the timelines and are marked as withdrawn.
 * A text without references costs no statement; any other text a number of statements that does not depend on the number of references.
 * @returns users newly mentioned under this issue who can see it
 */
export async function noteReferences(tx: Tx, actor: UserActor, repository: RepositorySubject, written: WrittenText): Promise<readonly number[]> {
  const place = { owner: repository.ownerName, name: repository.name };
  const named = readReferences(written.text, place);
  const former = written.formerText === undefined ? undefined : readReferences(written.formerText, place);
  await hangNamedUploads(tx, actor, written);
  const mentioned = await mentionedUsers(tx, actor, repository, unitOf(written.issue), named);
  if (named.issues.length > 0 || (former?.issues.length ?? 0) > 0) await noteIssues(tx, actor, repository, written, named, former !== undefined);
  return insertMentions(tx, written.issue.id, mentioned);
}

/** Mentioned users who can read the text, without the author and users with a block between them and the author. */
export async function mentionedUsers(
  tx: Tx,
  actor: UserActor,
  repository: RepositorySubject,
  unit: Unit,
  { accounts, teams }: Pick<TextReferences, "accounts" | "teams">,
): Promise<readonly number[]> {
  if (accounts.length === 0 && teams.length === 0) return [];
  const byName = await findUsersByNames({ db: tx }, accounts);
  const members = await usersOfTeams({ db: tx }, actor, repository, teams);
  const users = [...new Map([...accounts.flatMap((name) => byName(name) ?? []), ...members].map((user) => [user.id, user])).values()];
  const rights = await rightsOfUsers({ db: tx }, repository.id, users);
  const readers = users.filter(({ id }) => id !== actor.id && atLeast(rights.get(id)?.unit(unit) ?? "none", "read"));
  if (readers.length === 0) return [];
  const ids = readers.map(({ id }) => id);
  const blockers = await blockersAmong({ db: tx }, ids, actor.id);
  return ids.filter((id) => !blockers.includes(id));
}

async function noteIssues(
  tx: Tx,
  actor: UserActor,
  repository: RepositorySubject,
  { issue, commentId }: WrittenText,
  { issues }: TextReferences,
  isEdit: boolean,
): Promise<void> {
  const targets = (await findReferenced(tx, actor, repository, issues)).filter(({ id }) => id !== issue.id);
  const known = isEdit ? await listReferencesFrom(tx, { issueId: issue.id, commentId }) : [];
  const gone = known.filter(({ targetId }) => !targets.some(({ id }) => id === targetId));
  await updateReferencePayload(
    tx,
    gone.filter(({ payload }) => parseCommentPayload(payload).refAction !== "neutered").map(({ entryId }) => entryId),
    { refAction: "neutered" },
  );
  const returned = known.filter(({ targetId, payload }) => targets.some(({ id }) => id === targetId) && parseCommentPayload(payload).refAction === "neutered");
  await updateReferencePayload(
    tx,
    returned.map(({ entryId }) => entryId),
    { refAction: "none" },
  );
  const kind = commentId !== null ? "comment_ref" : issue.isPull ? "pull_ref" : "issue_ref";
  const fresh = targets.filter(({ id }) => !known.some(({ targetId }) => targetId === id));
  await insertEntries(
    tx,
    fresh.map(
      (target): NewEntry => ({
        issueId: target.id,
        repoId: target.repoId,
        kind,
        posterId: actor.id,
        refIssueId: issue.id,
        refCommentId: commentId,
        // Only the text of a pull request itself has actions; its merge applies them.
        payload: { refAction: issue.isPull && commentId === null ? target.action : "none" },
      }),
    ),
  );
}

export type FoundReference = ReferencedIssue & Pick<IssueReference, "action">;

/** Referenced issues that the author can read. One statement for those of the same repository, two for each other repository. */
export async function findReferenced(
  db: Reader,
  actor: UserActor,
  repository: RepositorySubject,
  references: readonly IssueReference[],
): Promise<readonly FoundReference[]> {
  const groups = Map.groupBy(references, ({ owner, repository: name }) => `${owner}/${name}`.toLowerCase());
  const here = repository.fullName.toLowerCase();
  const found: FoundReference[] = [];
  const elsewhere = [...groups.keys()].filter((fullName) => fullName !== here).slice(0, maxRepositories);
  for (const [fullName, group] of groups) {
    if (fullName !== here && !elsewhere.includes(fullName)) continue;
    const subject = fullName === here ? repository : await findReadable(db, actor, group[0]);
    if (subject === undefined) continue;
    const actions = new Map(group.map(({ number, action }) => [number, action]));
    const issues = await findIssuesByNumbers(db, subject.id, [...actions.keys()]);
    for (const issue of issues) if (canReadIssue(subject, issue)) found.push({ ...issue, action: actions.get(issue.number) ?? "none" });
  }
  return found;
}

async function findReadable(db: Reader, actor: UserActor, reference: IssueReference | undefined): Promise<RepositorySubject | undefined> {
  if (reference === undefined) return undefined;
  const found = await findRepository({ db }, reference.owner, reference.repository, actor).catch((error: unknown) => {
    if (isForgeError(error, "not_found")) return undefined;
    throw error;
  });
  return found !== undefined && "subject" in found ? found.subject : undefined;
}

/**
 * Closes or reopens an issue for a keyword in a commit or in a merged pull request, with the rights of the actor. Leaves merged pull requests
 * and issues with open dependencies unchanged.
 */
export async function applyKeyword(
  tx: Tx,
  actor: UserActor,
  repository: RepositorySubject,
  issue: IssueRow,
  { isClosed, commitOid }: { readonly isClosed: boolean; readonly commitOid: string },
): Promise<void> {
  if (issue.isClosed === isClosed || issue.mergedMs !== null || !canEditIssue(actor, repository, issue)) return;
  if (isClosed && (await hasOpenDependency(tx, issue.id))) return;
  const change = changeIssue(tx, actor.id, issue);
  await setState(change, isClosed, { commitOid });
  await change.finish();
}
