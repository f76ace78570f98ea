import { type Actor, isUser } from "../../../../access/actor.ts";
import { atLeast } from "../../../../access/repository.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Page } from "../../../../core/paging.ts";
import { repository } from "../../../../http/access.ts";
import { raw } from "../../../../http/answers.ts";
import type { PageRequest } from "../../../../http/page-reader.ts";

/** Declarations shared by the forms on the pages of branches and tags. */
export const changing = {
  method: "POST",
  mount: "root",
  tag: "repository",
  isUnlisted: true,
  isPage: true,
  access: repository.writer("repo.code", { archived: "refused" }),
  scope: "repository",
  answers: raw(["text/html"]),
} as const;

/** Errors that are shown in the form instead of on an error page. */
export const refusals = ["not_found", "forbidden"] as const;

export interface RefsRequest extends PageRequest {
  readonly repository: RepositorySubject;
  readonly page: Page;
}

/** Whether the actor can change branches and tags, protection rules aside. */
export const changesRefs = (actor: Actor, { right, isArchived, isMirror, isEmpty }: RepositorySubject): boolean =>
  isUser(actor) && !isArchived && !isMirror && !isEmpty && atLeast(right.unit("repo.code"), "write");
