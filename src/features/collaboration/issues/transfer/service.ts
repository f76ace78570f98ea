import type { Actor, UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { conflict, forbidden, invalid, isForgeError, notFound } from "../../../../core/errors.ts";
import { readId } from "../../../../core/ids.ts";
import type { Db, Reader, Tx } from "../../../../db/db.ts";
import { recordEvent } from "../../../../events/events.ts";
import { findAccountView } from "../../../accounts/users/service/accounts.ts";
import { countIssueStates, takeIssueNumber } from "../../../repositories/repos/service/counters.ts";
import { findRepository, findRepositoryById } from "../../../repositories/repos/service/find.ts";
import { searchRepositories } from "../../../repositories/repos/service/search.ts";
import { recountFilesOf } from "../../../repositories/repos/service/sizes.ts";
import { addLabels } from "../../labels/exclusive.ts";
import { labelsByIds, resolveLabelsByNames } from "../../labels/service/resolve.ts";
import { countInMilestone, findMilestoneTitled, milestonesByIds } from "../../milestones/service.ts";
import { insertEntries } from "../conversation/store/comments.ts";
import type { IssueRow, IssueView } from "../model.ts";
import { assignableAmong } from "../planning/service/assignable.ts";
import { deleteAssignees, deleteIssueLabels, insertAssignees, insertIssueLabels } from "../planning/store/links.ts";
import { canReadIssue, canWriteIssue } from "../rights.ts";
import { recordIssueEvent } from "../service/change.ts";
import { eventOfRepository, formerOf } from "../service/delete.ts";
import { getIssue, loadIssueRowsById, requireIssue } from "../service/find.ts";
import { findTransferred, moveIssue } from "./store.ts";

/**
 * Transfers an issue to another repository, with everything that belongs to it. Labels and the milestone are replaced by those with the same
 * names, and assignees without read access are removed. The former address leads to the issue. For users who can write the issues of both.
 * @param target `owner/name`
 * @throws ForgeError `not_found`, also for a pull request, `forbidden`; `invalid` for an unsuitable target, `conflict` if another request transfers
 * it at the same time
 */
export async function transferIssue(
  deps: { readonly db: Db },
  actor: UserActor,
  repository: RepositorySubject,
  number: string,
  target: string,
): Promise<IssueView> {
  const moved = await deps.db.tx(async (tx) => {
    // Rights and visibility are read again: they can have changed since the request was authorized.
    const from = await findRepositoryById({ db: tx }, repository.id, actor);
    const issue = await requireIssue({ db: tx }, from, number);
    if (issue.isPull) throw notFound();
    if (!canWriteIssue(from, issue)) throw forbidden("write access to issues is required");
    const to = await requireTarget({ db: tx }, actor, from, target);
    return { to, number: await move(tx, actor, issue, { from, to }) };
  });
  return getIssue(deps, moved.to, moved.number);
}

const issues = { isPull: false } as const;

/** @throws ForgeError `invalid` */
async function requireTarget(deps: { readonly db: Reader }, actor: UserActor, from: RepositorySubject, target: string): Promise<RepositorySubject> {
  const to = await findTarget(deps, actor, target);
  if (to === undefined || to.isArchived || !canWriteIssue(to, issues)) {
    throw invalid(`"${target}" is not a repository whose issues you can write: name one that is not archived as owner/name`, {
      reason: "transfer_target_unsuitable",
    });
  }
  if (to.id === from.id) throw invalid("the issue is already in this repository", { reason: "transfer_to_itself" });
  if ((await audienceOf(deps, to)) > (await audienceOf(deps, from))) {
    throw invalid(`more users can see ${target} than the repository of the issue`, { reason: "transfer_more_visible" });
  }
  return to;
}

async function findTarget(deps: { readonly db: Reader }, actor: UserActor, target: string): Promise<RepositorySubject | undefined> {
  const [owner = "", name = "", ...rest] = target.trim().split("/");
  if (owner === "" || name === "" || rest.length > 0) return undefined;
  try {
    const found = await findRepository(deps, owner, name, actor);
    return "subject" in found ? found.subject : await findTarget(deps, actor, found.movedTo);
  } catch (error) {
    if (isForgeError(error, "not_found")) return undefined;
    throw error;
  }
}

/** Users who can see a repository: 0 for its members, 1 for signed-in users, 2 for everyone. */
async function audienceOf(deps: { readonly db: Reader }, { isPrivate, ownerName }: RepositorySubject): Promise<number> {
  if (isPrivate) return 0;
  const owner = await findAccountView(deps, ownerName);
  return owner === undefined ? 0 : { private: 0, limited: 1, public: 2 }[owner.visibility];
}

interface Route {
  readonly from: RepositorySubject;
  readonly to: RepositorySubject;
}

/** About twenty statements. @returns the new number */
async function move(tx: Tx, actor: UserActor, issue: IssueRow, { from, to }: Route): Promise<number> {
  const { isClosed } = issue;
  const names = [...(await labelsByIds(tx, issue.labelIds)).values()].map(({ name }) => name);
  const { labels } = addLabels([], await resolveLabelsByNames(tx, to, names));
  const former = issue.milestoneId === null ? undefined : (await milestonesByIds(tx, [issue.milestoneId])).get(issue.milestoneId);
  const milestone = former && (await findMilestoneTitled(tx, to, former.title));
  const assignable = await assignableAmong(tx, actor.id, to.id, issue.assigneeIds);
  const number = await takeIssueNumber(tx, to.id, { ...issues, isClosed });
  if (number === undefined) throw notFound();

  await deleteIssueLabels(tx, issue.id, issue.labelIds);
  await deleteAssignees(tx, issue.id, issue.assigneeIds);
  const moved = await moveIssue(tx, issue, { repoId: to.id, number, milestoneId: milestone?.id ?? null });
  if (moved === undefined) throw conflict("the issue was transferred meanwhile", { reason: "changed_meanwhile" });
  await insertIssueLabels(
    tx,
    issue.id,
    labels.map(({ id }) => id),
  );
  await insertAssignees(
    tx,
    issue.id,
    issue.assigneeIds.filter((id) => assignable.has(id)),
  );

  await countIssueStates(tx, issue, isClosed ? { open: 0, closed: -1 } : { open: -1, closed: 0 });
  if (former !== undefined) await countInMilestone(tx, former.id, isClosed ? { open: 0, closed: -1 } : { open: -1, closed: 0 });
  if (milestone !== undefined) await countInMilestone(tx, milestone.id, isClosed ? { open: 0, closed: 1 } : { open: 1, closed: 0 });
  if (moved.hasAttachments) for (const { id } of [from, to]) await recountFilesOf(tx, id);

  const payload = { formerRepoId: from.id, formerNumber: issue.number };
  await insertEntries(tx, [{ issueId: issue.id, repoId: to.id, kind: "transfer", posterId: actor.id, payload }]);
  await recordIssueEvent(tx, actor.id, issue, "issue.transferred", { former: formerOf(issue), toRepoId: to.id, toNumber: number });
  await recordIssueEvent(tx, actor.id, { ...issue, repoId: to.id, number }, "issue.received", payload);
  const audited = { ...eventOfRepository(from, issue), toRepoId: to.id, to: `${to.fullName}#${number}` };
  await recordEvent(tx, "repo.issue_transferred", audited, { repoId: from.id, by: actor });
  return number;
}

/** The address of a transferred issue. */
export interface TransferredTo extends Readonly<Record<string, string>> {
  readonly owner: string;
  readonly repo: string;
  readonly index: string;
}

/** The present address of an issue that had a number of the repository; undefined if there is none that the caller can read. */
async function findTransferredTo(
  deps: { readonly db: Reader },
  actor: Actor,
  repository: RepositorySubject,
  number: string,
): Promise<TransferredTo | undefined> {
  const id = await findTransferred(deps.db, repository.id, readId(number));
  const row = id === undefined ? undefined : (await loadIssueRowsById(deps, [id])).get(id);
  if (row === undefined) return undefined;
  try {
    const { ownerName, name, ...to } = await findRepositoryById(deps, row.repoId, actor);
    return canReadIssue(to, row) ? { owner: ownerName, repo: name, index: String(row.number) } : undefined;
  } catch (error) {
    if (isForgeError(error, "not_found")) return undefined;
    throw error;
  }
}

interface IssueRead {
  readonly actor: Actor;
  readonly repository: RepositorySubject;
  readonly params: { readonly index: string };
}

/** Reads an issue, or finds the present address of a transferred one. @throws ForgeError as `read` */
export async function readOrFollow<T>(
  deps: { readonly db: Reader },
  { actor, repository, params }: IssueRead,
  read: () => Promise<T>,
): Promise<{ readonly found: T } | { readonly movedTo: TransferredTo }> {
  try {
    return { found: await read() };
  } catch (error) {
    if (!isForgeError(error, "not_found")) throw error;
    const movedTo = await findTransferredTo(deps, actor, repository, params.index);
    if (movedTo === undefined) throw error;
    return { movedTo };
  }
}

const maxTargets = { page: 1, limit: 50, offset: 0 };

/** Repositories to which the caller can transfer issues, last updated first. */
export async function listTransferTargets(deps: { readonly db: Reader }, actor: UserActor, from: RepositorySubject): Promise<readonly string[]> {
  const found = await searchRepositories(
    deps,
    actor,
    {
      text: "",
      searchesTopics: false,
      searchesDescriptions: false,
      accountId: actor.id,
      isOwnedOnly: false,
      includesPrivate: true,
      isArchived: false,
      mode: "",
      sort: "updated",
      order: "desc",
    },
    maxTargets,
  );
  return found.items.flatMap((view) => (view.id !== from.id && canWriteIssue(view, issues) ? `${view.owner.name}/${view.name}` : []));
}
