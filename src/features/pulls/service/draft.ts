import type { UserActor } from "../../../access/actor.ts";
import type { RepositorySubject } from "../../../access/subjects.ts";
import { asDraft, withoutDraftMark } from "../../issues/draft.ts";
import { unchanged } from "../../issues/service/edit.ts";
import type { PullDeps } from "./deps.ts";
import { editPull } from "./edit.ts";
import { findPull } from "./find.ts";

/** Says of a pull request that its work is done, or that it is not yet: by its title, as everywhere. @throws ForgeError as `editPull` */
export async function setDraft(deps: PullDeps, actor: UserActor, repository: RepositorySubject, number: string, isDraft: boolean): Promise<void> {
  const { issue } = await findPull(deps, repository, number);
  const title = isDraft ? asDraft(issue.title) : withoutDraftMark(issue.title);
  if (title === issue.title) return;
  await editPull(deps, actor, repository, number, { ...unchanged, title, labelIds: null, base: "", allowsMaintainerEdit: null });
}
