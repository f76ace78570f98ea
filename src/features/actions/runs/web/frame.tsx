import type { Actor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Page } from "../../../../core/paging.ts";
import { repository } from "../../../../http/access.ts";
import { type RawReply, raw } from "../../../../http/answers.ts";
import { pageReader } from "../../../../http/page-reader.ts";
import { readingPage } from "../../../../http/page-route.ts";
import { formTokenOf } from "../../../../http/session-cookie.ts";
import type { Html } from "../../../../ui/html.ts";
import { renderRepositoryPage } from "../../../../ui/repository-page.tsx";
import { textsFor } from "../../../../ui/texts/texts.ts";
import { inPlace, text } from "../../../../wire/schema.ts";
import type { RefMenus } from "../../../repositories/refs/service/menus.ts";
import { repositoryHeader } from "../../../repositories/repos/header.ts";
import { getRepository } from "../../../repositories/repos/service/loaders.ts";
import type { RepositoryTextDeps } from "../../../site/markup/repository-texts.ts";
import type { UploadDeps } from "../artifacts/service/uploads.ts";
import type { RunsDeps } from "../service/deps.ts";
import type { LogFeed } from "../service/log-feed.ts";
import { mayManage } from "../service/manage.ts";
import { runTexts } from "../texts/texts.ts";

export interface RunPageDeps extends RunsDeps, UploadDeps, RepositoryTextDeps {
  readonly logFeed: LogFeed;
  readonly refMenus: RefMenus;
  /** Aborted when the server is about to stop. */
  readonly draining: AbortSignal;
}

export const page = readingPage("repo.actions");
export const changePage = {
  method: "POST",
  mount: "root",
  tag: "repository",
  isUnlisted: true,
  isPage: true,
  access: repository.writer("repo.actions", { archived: "refused" }),
  scope: "repository",
  body: inPlace({ which: text() }),
  answers: raw(["text/html"]),
} as const;
export const base = "/{owner}/{repo}/actions";

export interface PageRequest {
  readonly actor: Actor;
  readonly repository: RepositorySubject;
  readonly session: string | undefined;
  readonly page: Page;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly url: string;
}

export const tokenOf = ({ repository: place, session }: PageRequest): string | undefined =>
  session !== undefined && mayManage(place) ? formTokenOf(session) : undefined;

export async function show(
  deps: RunPageDeps,
  request: PageRequest,
  make: (title: string) => { title: string; content: Html; beside?: Html },
): Promise<RawReply> {
  const view = await getRepository(deps, request.actor, request.repository.id);
  const reader = pageReader(request);
  const { title, content, ...more } = make(textsFor(runTexts, reader.languages).title);
  return renderRepositoryPage({ ...reader, repository: repositoryHeader(view), tab: "actions", title, heading: title, ...more }, content);
}
