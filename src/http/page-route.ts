import type { UserActor } from "../access/actor.ts";
import type { Unit } from "../access/repository.ts";
import type { RepositorySubject } from "../access/subjects.ts";
import type { FormProblem } from "../core/form-problem.ts";
import type { Page } from "../core/paging.ts";
import { repository } from "./access.ts";
import { raw } from "./answers.ts";
import type { PageRequest } from "./page-reader.ts";

/** What the pages on which people read a part of a repository declare alike. */
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

/** What the pages declare alike on which people work on an issue: whoever has signed in and sees it, and its services judge him. */
export const issueWorkPage = {
  mount: "root",
  tag: "issue",
  isUnlisted: true,
  isPage: true,
  access: repository.signedIn({ archived: "refused" }),
  scope: "issue",
  answers: raw(["text/html"]),
} as const;

/** What the pages declare alike on which people work on a pull request: whoever has signed in and sees it, and its services judge him. */
export const pullWorkPage = { ...issueWorkPage, scope: "repository" } as const;

/** What the pages on which people change a part of what is theirs declare alike. */
export const settingsPage = { mount: "root", isUnlisted: true, isPage: true, answers: raw(["text/html"]) } as const;

/** The same for repositories, whose administrators see them. */
export const repositorySettingsPage = { ...settingsPage, tag: "repository", access: repository.admin(), scope: "repository" } as const;

/** Of a repository's settings page. */
export interface SettingsRequest extends PageRequest {
  readonly actor: UserActor;
  readonly repository: RepositorySubject;
  readonly page: Page;
}

/** A form that was refused: what was typed, and why. */
export interface Refused<Typed> {
  readonly values: Typed;
  readonly problem: FormProblem;
}
