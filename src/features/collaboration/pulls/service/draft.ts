import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { invalid } from "../../../../core/errors.ts";
import { asDraft, withoutDraftMark } from "../../issues/draft.ts";
import { unchanged } from "../../issues/service/edit.ts";
import type { PullDeps } from "./deps.ts";
import { editPull } from "./edit.ts";
import { findPull } from "./find.ts";

/**
 * Marks a pull request as ready or as a draft, by its title prefix. @throws ForgeError as `editPull`; `invalid` for a title with only a
 * prefix
 */
export async function setDraft(deps: PullDeps, actor: UserActor, repository: RepositorySubject, number: string, isDraft: boolean): Promise<void> {
  const { issue } = await findPull(deps, repository, number);
  const title = isDraft ? asDraft(issue.title) : withoutDraftMark(issue.title);
  if (title === issue.title) return;
  if (title === "") throw invalid("the title consists only of a draft prefix: enter another title", { reason: "title_required" });
  await editPull(deps, actor, repository, number, { ...unchanged, title, labelIds: null, base: "", allowsMaintainerEdit: null });
}

/** Allows users who can merge into the base to push to the head branch, or not. @throws ForgeError as `editPull` */
export async function setMaintainerEdits(deps: PullDeps, actor: UserActor, repository: RepositorySubject, number: string, isAllowed: boolean): Promise<void> {
  await editPull(deps, actor, repository, number, { ...unchanged, labelIds: null, base: "", allowsMaintainerEdit: isAllowed });
}
