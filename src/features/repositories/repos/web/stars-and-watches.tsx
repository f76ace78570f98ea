import type { Clock } from "../../../../core/clock.ts";
import { invalid } from "../../../../core/errors.ts";
import { avatarPath } from "../../../../core/urls.ts";
import { type Watching, watchKinds, watchLevels } from "../../../../core/watching.ts";
import type { Db } from "../../../../db/db.ts";
import { repository } from "../../../../http/access.ts";
import { raw } from "../../../../http/answers.ts";
import { seeOther } from "../../../../http/form-submit.ts";
import { pageReader } from "../../../../http/page-reader.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { repositoryPath } from "../../../../ui/addresses.ts";
import { Pager } from "../../../../ui/blocks.tsx";
import { renderRepositoryPage } from "../../../../ui/repository-page.tsx";
import { textsFor } from "../../../../ui/texts/texts.ts";
import { inPlace, list, text } from "../../../../wire/schema.ts";
import { PeopleList } from "../../../accounts/users/views/people-list.tsx";
import { repositoryHeader } from "../header.ts";
import { getRepository } from "../service/loaders.ts";
import { listAccountsThatMarked, type Mark, putMark, removeMark } from "../service/stars-and-watches.ts";
import { setWatching } from "../service/watching.ts";
import { starAndWatchTexts } from "../texts/texts.ts";
import { MarkTabs, NoMarks } from "../views/stars-and-watches.tsx";

export interface StarAndWatchPageDeps {
  readonly db: Db;
  readonly clock: Clock;
}

const page = { mount: "root", tag: "repository", isUnlisted: true, isPage: true, scope: "repository", answers: raw(["text/html"]) } as const;

/** The pages of stargazers and watchers, the star button and the watch menu. */
export const starAndWatchPages = (deps: StarAndWatchPageDeps): Route[] => [
  ...(["star", "watch"] as const).flatMap((mark) => pagesOf(deps, mark)),
  ...starForms(deps),
  watchForm(deps),
];

const pagesOf = (deps: StarAndWatchPageDeps, mark: Mark): Route[] => {
  const below = mark === "star" ? "stars" : "watchers";
  return [
    defineRoute({
      ...page,
      id: `${below}Page`,
      method: "GET",
      path: `/{owner}/{repo}/${below}`,
      summary: `Who ${mark === "star" ? "stars" : "watches"} a repository`,
      access: repository.visible,
      handle: async (request) => {
        const { actor, repository, page } = request;
        const { items, total } = await listAccountsThatMarked(deps, actor, repository, mark, page);
        const view = await getRepository(deps, actor, repository.id);
        const reader = pageReader(request);
        const texts = textsFor(starAndWatchTexts, reader.languages);
        const people = items.map((user) => ({ ...user, avatarPath: avatarPath(user) }));
        const props = { ...reader, repository: repositoryHeader(view), tab: "code", title: texts.titles[mark], heading: texts.titles[mark] } as const;
        const content = total === 0 ? <NoMarks repository={repository} of={mark} /> : <PeopleList people={people} />;
        return renderRepositoryPage(
          props,
          <MarkTabs repository={repository} of={mark} />,
          content,
          <Pager path={`${repositoryPath(repository)}/${below}`} page={page} total={total} />,
        );
      },
    }),
  ];
};

const starForms = (deps: StarAndWatchPageDeps): Route[] =>
  ([true, false] as const).map((sets) =>
    defineRoute({
      ...page,
      id: `${sets ? "" : "un"}starRepository`,
      method: "POST",
      path: `/{owner}/{repo}/${sets ? "" : "un"}star`,
      summary: sets ? "Star a repository" : "Remove the caller's star",
      access: repository.signedIn(),
      body: inPlace({}),
      handle: async ({ actor, repository }) => {
        await (sets ? putMark : removeMark)(deps, actor, repository, "star");
        return seeOther(repositoryPath(repository));
      },
    }),
  );

const watchForm = (deps: StarAndWatchPageDeps): Route =>
  defineRoute({
    ...page,
    id: "watchRepository",
    method: "POST",
    path: "/{owner}/{repo}/watch",
    summary: "Choose which activity of a repository the caller is notified of",
    access: repository.signedIn(),
    body: inPlace({ level: text(), kinds: list(text()) }),
    handle: async ({ actor, repository, body }) => {
      await setWatching(deps, actor, repository, readWatching(body.level, body.kinds));
      return seeOther(repositoryPath(repository));
    },
  });

/** @throws ForgeError `invalid` for an unknown level */
function readWatching(level: string, kinds: readonly string[]): Watching {
  if (level === "participating" || level === "ignored") return level;
  if (level === "all") return watchKinds;
  if (level === "custom") return watchKinds.filter((kind) => kinds.includes(kind));
  throw invalid(`the level has one of these values: ${watchLevels.join(", ")}`, { reason: "choice_required" });
}
