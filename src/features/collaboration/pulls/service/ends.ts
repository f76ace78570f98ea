import { type Actor, anonymous } from "../../../../access/actor.ts";
import { atLeast } from "../../../../access/repository.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { invalid, malformed, notFound } from "../../../../core/errors.ts";
import type { Reader } from "../../../../db/db.ts";
import type { Oid } from "../../../../git/types.ts";
import { findAccountView } from "../../../accounts/users/service/accounts.ts";
import { codeStore } from "../../../repositories/branches/service/deps.ts";
import { areRelated, findForkOf } from "../../../repositories/forks/service/network.ts";
import { branchPrefix } from "../../../repositories/refs/model.ts";
import { branchNameOf, findRef, findRefs } from "../../../repositories/refs/service/read.ts";
import { resolveRev } from "../../../repositories/refs/service/resolve.ts";
import { findRepositoriesById, findRepository } from "../../../repositories/repos/service/find.ts";
import type { PullDeps } from "./deps.ts";

/** A branch and its repository. */
export interface PullEnd {
  readonly repository: RepositorySubject;
  readonly branch: string;
}

/**
 * Resolves a head as named by the caller: `branch`, `user:branch` of that user's fork or of the repository itself, or
 * `user/repository:branch`.
 * @throws ForgeError `not_found` if the caller cannot read it, `malformed` for a user without a fork
 */
export async function findHead(deps: Pick<PullDeps, "db">, actor: Actor, base: RepositorySubject, head: string): Promise<PullEnd> {
  const colon = head.indexOf(":");
  if (colon < 0) return findEnd(deps, base, head);
  const [owner = "", name] = head.slice(0, colon).split("/");
  const repository = name === undefined ? await findOfOwner(deps, actor, base, owner) : await findNamed(deps, actor, base, owner, name);
  if (!atLeast(repository.right.unit("repo.code"), "read")) throw notFound();
  return findEnd(deps, repository, head.slice(colon + 1));
}

/** A branch by the name that a caller gives, such as `main` or `refs/heads/main`. The branch need not exist. */
export const findEnd = async ({ db }: { readonly db: Reader }, repository: RepositorySubject, branch: string): Promise<PullEnd> => ({
  repository,
  branch: await branchNameOf(db, repository.codeStoreId, branch),
});

async function findOfOwner(deps: Pick<PullDeps, "db">, actor: Actor, base: RepositorySubject, owner: string): Promise<RepositorySubject> {
  if (owner.toLowerCase() === base.ownerName.toLowerCase()) return base;
  const account = await findAccountView(deps, owner);
  if (account === undefined) throw notFound();
  const fork = await findForkOf(deps, actor, base.id, account.id);
  if (fork === undefined) throw malformed(`the user ${account.name} does not have a fork of the base repository`, { reason: "fork_missing" });
  return fork;
}

async function findNamed(deps: Pick<PullDeps, "db">, actor: Actor, base: RepositorySubject, owner: string, name: string): Promise<RepositorySubject> {
  const found = await findRepository(deps, owner, name, actor);
  if (!("subject" in found)) throw notFound();
  const { subject } = found;
  if (subject.id !== base.id && !(await areRelated(deps, base.id, subject.id))) throw notFound();
  return subject;
}

/** Whether everyone, including anonymous users, can read a repository. */
export const isOpenToAll = async (deps: Pick<PullDeps, "db">, { id }: RepositorySubject): Promise<boolean> =>
  (await findRepositoriesById(deps, [id], anonymous)).size > 0;

/** The commit of a branch. @throws ForgeError `not_found`; `invalid` for a tag or a commit */
export async function requireBranch(deps: Pick<PullDeps, "db" | "git">, { repository, branch }: PullEnd): Promise<Oid> {
  const ref = await findRef(deps.db, repository.codeStoreId, branchPrefix + branch);
  if (ref !== undefined) return ref.oid;
  const other = repository.isEmpty ? undefined : await resolveRev(deps, codeStore(deps, repository), branch, ["tag", "commit"]);
  throw other === undefined ? notFound() : invalid("Invalid PullRequest: base and head must be branches", { reason: "not_branches" });
}

/** The commits of both branches; one statement if both are in one repository. @throws ForgeError as {@link requireBranch} */
export async function requireBranches(deps: Pick<PullDeps, "db" | "git">, base: PullEnd, head: PullEnd): Promise<readonly [base: Oid, head: Oid]> {
  if (base.repository.id === head.repository.id) {
    const [baseName, headName] = [branchPrefix + base.branch, branchPrefix + head.branch];
    const refs = await findRefs(deps.db, base.repository.codeStoreId, [baseName, headName]);
    const [baseRef, headRef] = [refs.get(baseName), refs.get(headName)];
    if (baseRef !== undefined && headRef !== undefined) return [baseRef.oid, headRef.oid];
  }
  return [await requireBranch(deps, base), await requireBranch(deps, head)];
}
