import type { UserActor } from "../../../../access/actor.ts";
import { atLeast } from "../../../../access/repository.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { forbidden, invalid, locked, notFound } from "../../../../core/errors.ts";
import type { Reader } from "../../../../db/db.ts";
import { editTree } from "../../../../git/merge/tree-edit.ts";
import { isValidBranchName } from "../../../../git/objects/ref-names.ts";
import { copyObjectsFrom } from "../../../../git/receive/copy-objects.ts";
import { codeStore } from "../../branches/service/deps.ts";
import { branchRights } from "../../protections/service/guard.ts";
import { branchPrefix } from "../../refs/model.ts";
import { findRef, refTips } from "../../refs/service/read.ts";
import { type ChangeDeps, changeFiles, type FilesChange, planFiles } from "./change.ts";
import { planTree } from "./tree-plan.ts";
import { requireCommit } from "./viewpoint.ts";

/** The branch that a commit of a user to a branch of a repository can go to. */
export type CommitPlace =
  /** The branch itself, or a new one. */
  | { readonly kind: "any" }
  /** Only a new branch, because a rule of the branch denies pushes. */
  | { readonly kind: "new-branch" }
  /** Only a new branch of the user's fork, because they cannot write to the repository. `fork` is undefined if it does not exist yet. */
  | { readonly kind: "fork"; readonly fork: RepositorySubject | undefined };

/** The forks of users, a later feature. Provided by the composition root. */
export interface OwnForks {
  /** The user's repository in the fork network. */
  find(actor: UserActor, repository: RepositorySubject): Promise<RepositorySubject | undefined>;
  /** As `find`; creates a fork if there is none. @throws ForgeError as the operation `createFork` */
  take(actor: UserActor, repository: RepositorySubject): Promise<RepositorySubject>;
}

export interface CommitPlaceDeps {
  readonly db: Reader;
  readonly ownForks: OwnForks;
}

/**
 * At most three statements.
 * @throws ForgeError `locked` for an archived repository and a mirror, `forbidden` if the user cannot read the code
 */
export async function findCommitPlace(deps: CommitPlaceDeps, actor: UserActor, repository: RepositorySubject, branch: string): Promise<CommitPlace> {
  if (repository.isArchived) throw locked(`${repository.fullName} is archived`, { reason: "repository_archived" });
  if (repository.isMirror) throw locked(`${repository.fullName} is not allowed to edit`, { reason: "repository_mirror" });
  const right = repository.right.unit("repo.code");
  if (!atLeast(right, "read")) throw forbidden("user should have a permission to write to the target branch");
  if (!atLeast(right, "write")) return { kind: "fork", fork: await deps.ownForks.find(actor, repository) };
  return { kind: (await branchRights(deps.db, actor, repository)).on(branch).canPush ? "any" : "new-branch" };
}

/**
 * Commits changes of files to a new branch of the user's fork, starting from a branch of the repository. Creates the fork if there is none, but
 * only for a change that is possible. Copies the objects first; one transaction then creates the branch with the commit.
 * @returns the fork
 * @throws ForgeError as {@link changeFiles} and as the operation `createFork`
 */
export async function proposeFiles(
  deps: ChangeDeps & CommitPlaceDeps,
  actor: UserActor,
  repository: RepositorySubject,
  { commit, files }: FilesChange,
): Promise<RepositorySubject> {
  if (!isValidBranchName(commit.newBranch)) throw invalid("[NewBranchName]: GitRefName", { reason: "invalid_ref_name" });
  const from = codeStore(deps, repository);
  const tip = await findRef(deps.db, from.id, branchPrefix + commit.branch);
  if (tip === undefined) throw notFound();
  const { treeOid } = await requireCommit(from, tip.oid);
  const { steps } = await planTree(from, treeOid, await planFiles(deps, repository, files));
  await editTree(from, treeOid, steps);
  const fork = await deps.ownForks.take(actor, repository);
  const store = codeStore(deps, fork);
  const knownOids = refTips(deps.db, store);
  const { sizeBytes } = await copyObjectsFrom(from, store, { tipOids: [tip.oid], knownOids });
  await changeFiles(deps, actor, fork, { commit, files, start: { oid: tip.oid, sizeBytes } });
  return fork;
}
