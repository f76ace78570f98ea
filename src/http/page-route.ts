import type { UserActor } from "../access/actor.ts";
import type { Unit } from "../access/repository.ts";
import type { RepositorySubject } from "../access/subjects.ts";
import type { FormProblem } from "../core/form-problem.ts";
import type { Page } from "../core/paging.ts";
import { anyone, repository } from "./access.ts";
import { raw } from "./answers.ts";
import type { PageRequest } from "./page-reader.ts";

/** Common declarations of documents that are the same for every caller, such as style sheets and well-known addresses. */
export const openDocument = {
  method: "GET",
  mount: "root",
  tag: "miscellaneous",
  isUnlisted: true,
  access: anyone,
  scope: "none",
  ignoresCredentials: true,
} as const;

/** Common declarations of pages that show a unit of a repository. */
export const readingPage = <const U extends Unit>(unit: U) =>
  ({
    method: "GET",
    mount: "root",
    tag: "repository",
    isUnlisted: true,
    isPage: true,
    access: repository.reader(unit),
    scope: "repository",
    answers: raw(["text/html"]),
  }) as const;

/** Common declarations of pages that change an issue: for signed-in users who can see it; the services authorize the change. */
export const issueWorkPage = {
  mount: "root",
  tag: "issue",
  isUnlisted: true,
  isPage: true,
  access: repository.signedIn({ archived: "refused" }),
  scope: "issue",
  answers: raw(["text/html"]),
} as const;

/** Common declarations of pages that change a pull request: for signed-in users who can see it; the services authorize the change. */
export const pullWorkPage = { ...issueWorkPage, scope: "repository" } as const;

/** Common declarations of settings pages. */
export const settingsPage = { mount: "root", isUnlisted: true, isPage: true, answers: raw(["text/html"]) } as const;

/** Settings pages of a repository, for its administrators. */
export const repositorySettingsPage = { ...settingsPage, tag: "repository", access: repository.admin(), scope: "repository" } as const;

/** A request for a repository's settings page. */
export interface SettingsRequest extends PageRequest {
  readonly actor: UserActor;
  readonly repository: RepositorySubject;
  readonly page: Page;
}

/** A rejected form: its input and the error. */
export interface Refused<Typed> {
  readonly values: Typed;
  readonly problem: FormProblem;
}
