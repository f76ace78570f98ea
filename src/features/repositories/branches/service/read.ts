import type { Actor } from "../../../../access/actor.ts";
import { atLeast } from "../../../../access/repository.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { notFound } from "../../../../core/errors.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import { isValidBranchName } from "../../../../git/objects/ref-names.ts";
import { branchRights } from "../../protections/service/guard.ts";
import { branchPrefix, type RefView, shortName } from "../../refs/model.ts";
import { branchNameOf, findRef, pageBranches, searchBranches } from "../../refs/service/read.ts";
import type { BranchView } from "../model.ts";
import { type BranchDeps, codeStore } from "./deps.ts";
import { loadTips } from "./tips.ts";

/**
 * A page of the branches, most recent commits first. Four statements, one more if there are rules and two if some commits are signed;
 * no process while a worker is warm.
 */
export async function listBranches(deps: BranchDeps, actor: Actor, repository: RepositorySubject, page: Page, part = ""): Promise<Paged<BranchView>> {
  const { codeStoreId } = repository;
  const { items, total } = await (part === "" ? pageBranches(deps.db, codeStoreId, page) : searchBranches(deps.db, codeStoreId, part, page));
  return { items: await toViews(deps, actor, repository, items), total };
}

/** @throws ForgeError `not_found` */
export async function getBranch(deps: BranchDeps, actor: Actor, repository: RepositorySubject, given: string): Promise<BranchView> {
  const name = await branchNameOf(deps.db, repository.codeStoreId, given);
  const ref = isValidBranchName(name) ? await findRef(deps.db, repository.codeStoreId, branchPrefix + name) : undefined;
  const [view] = ref === undefined ? [] : await toViews(deps, actor, repository, [ref]);
  if (view === undefined) throw notFound();
  return view;
}

export async function toViews(deps: BranchDeps, actor: Actor, repository: RepositorySubject, refs: readonly RefView[]): Promise<BranchView[]> {
  const tips = await loadTips(
    deps,
    actor,
    codeStore(deps, repository),
    refs.map(({ oid }) => oid),
  );
  const rights = await branchRights(deps.db, actor, repository);
  const showsRules = atLeast(repository.right.mode, "admin");
  return tips.map((tip, index) => {
    const name = shortName(refs[index]?.name ?? "");
    return { name, tip, ...rights.on(name), showsRules };
  });
}
