import type { Actor, UserActor } from "../../../../access/actor.ts";
import { isUser } from "../../../../access/actor.ts";
import { atLeast } from "../../../../access/repository.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { conflict, invalid, notFound } from "../../../../core/errors.ts";
import type { Db, Reader, Tx } from "../../../../db/db.ts";
import type { EventInTransaction } from "../../../../events/events.ts";
import { createBranch } from "../../../repositories/branches/service/create-branch.ts";
import type { BranchDeps } from "../../../repositories/branches/service/deps.ts";
import { branchPrefix, shortName } from "../../../repositories/refs/model.ts";
import { renamedTo } from "../../../repositories/refs/renames.ts";
import { findRef } from "../../../repositories/refs/service/read.ts";
import type { IssueView } from "../model.ts";
import { canReadCode, canReadIssue } from "../rights.ts";
import { requireIssue } from "../service/find.ts";
import { branchNameFor } from "./branch-name.ts";
import type { NewIssueBranch } from "./model.ts";
import { deleteIssueBranch, insertIssueBranch, listBranchesOf, listIssuesOfBranch, renameIssueBranch } from "./store.ts";

export interface IssueBranches {
  readonly branches: readonly string[];
  readonly newBranch: NewIssueBranch | undefined;
}

/** The branches of an issue for readers of the code. One statement, none for pull requests. */
export async function loadIssueBranches(
  { db }: { readonly db: Reader },
  actor: Actor,
  repository: RepositorySubject,
  issue: IssueView,
): Promise<IssueBranches> {
  if (issue.isPull || repository.isEmpty || !canReadCode(repository)) return { branches: [], newBranch: undefined };
  const branches = await listBranchesOf(db, issue.id, repository.codeStoreId);
  const mayCreate = isUser(actor) && !repository.isArchived && !repository.isMirror && atLeast(repository.right.unit("repo.code"), "write");
  return { branches, newBranch: mayCreate ? { name: branchNameFor(issue, branches), from: repository.defaultBranch } : undefined };
}

/**
 * Creates a branch and links it to an issue, in one transaction.
 * @throws ForgeError as `createBranch`; `not_found` for an unknown issue and for a pull request; `conflict` if the issue was transferred meanwhile
 */
export async function createIssueBranch(
  deps: BranchDeps,
  actor: UserActor,
  repository: RepositorySubject,
  number: string,
  { name, from }: NewIssueBranch,
): Promise<void> {
  const { isPull, id } = await requireIssue(deps, repository, number);
  if (isPull) throw notFound();
  await createBranch(deps, actor, repository, { name, fromRev: from, fromBranch: "" }, async (tx) => {
    const issue = await requireIssue({ db: tx }, repository, number);
    if (issue.id !== id) throw conflict("the issue was transferred meanwhile", { reason: "changed_meanwhile" });
    await insertIssueBranch(tx, issue, name);
  });
}

/**
 * Links an existing branch to an issue. Its pull request then proposes to close the issue.
 * @throws ForgeError `invalid` for an unknown branch, `not_found` for an unknown issue and for a pull request
 */
export const linkIssueBranch = (deps: { readonly db: Db }, repository: RepositorySubject, number: string, branch: string): Promise<void> =>
  deps.db.tx(async (tx) => {
    const issue = await requireIssue({ db: tx }, repository, number);
    if (issue.isPull) throw notFound();
    if ((await findRef(tx, repository.codeStoreId, branchPrefix + branch)) === undefined)
      throw invalid("the branch does not exist", { reason: "target_not_found" });
    await insertIssueBranch(tx, issue, branch);
  });

/** Removes the link of a branch, which stays. Repeating it has no effect. @throws ForgeError `not_found` for an unknown issue */
export const unlinkIssueBranch = (deps: { readonly db: Db }, repository: RepositorySubject, number: string, branch: string): Promise<void> =>
  deps.db.tx(async (tx) => deleteIssueBranch(tx, (await requireIssue({ db: tx }, repository, number)).id, branch));

/** Text that closes the open issues that a branch is linked to, on a line each; empty without any. One statement. */
export async function closingText({ db }: { readonly db: Reader }, repository: RepositorySubject, branch: string): Promise<string> {
  if (!canReadIssue(repository, { isPull: false })) return "";
  return (await listIssuesOfBranch(db, repository.id, branch)).map((number) => `Closes #${number}`).join("\n");
}

/** Lets renamed branches keep their issues, in the transaction of the rename. No statement for other moves of refs. */
export async function followRenames(tx: Tx, events: readonly EventInTransaction<"refs.changed">[]): Promise<void> {
  for (const { payload } of events) {
    for (const update of payload.updates) {
      const to = update.name.startsWith(branchPrefix) ? renamedTo(payload, update) : undefined;
      if (to !== undefined) await renameIssueBranch(tx, payload.repoId, shortName(update.name), to);
    }
  }
}
