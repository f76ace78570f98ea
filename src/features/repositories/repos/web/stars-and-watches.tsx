import type { Clock } from "../../../../core/clock.ts";
import { avatarPath } from "../../../../core/urls.ts";
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
import { inPlace } from "../../../../wire/schema.ts";
import { PeopleList } from "../../../accounts/users/views/people-list.tsx";
import { repositoryHeader } from "../header.ts";
import { getRepository } from "../service/loaders.ts";
import { listAccountsThatMarked, type Mark, putMark, removeMark } from "../service/stars-and-watches.ts";
import { starAndWatchTexts } from "../texts/texts.ts";
import { MarkTabs, NoMarks } from "../views/stars-and-watches.tsx";

export interface StarAndWatchPageDeps {
  readonly db: Db;
  readonly clock: Clock;
}

const page = { mount: "root", tag: "repository", isUnlisted: true, isPage: true, scope: "repository", answers: raw(["text/html"]) } as const;

/** The pages of stargazers and watchers, and the star and watch buttons. */
export const starAndWatchPages = (deps: StarAndWatchPageDeps): Route[] => (["star", "watch"] as const).flatMap((mark) => pagesOf(deps, mark));

const pagesOf = (deps: StarAndWatchPageDeps, mark: Mark): Route[] => {
  const list = mark === "star" ? "stars" : "watchers";
  return [
    defineRoute({
      ...page,
      id: `${list}Page`,
      method: "GET",
      path: `/{owner}/{repo}/${list}`,
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
          <Pager path={`${repositoryPath(repository)}/${list}`} page={page} total={total} />,
        );
      },
    }),
    ...([true, false] as const).map((sets) =>
      defineRoute({
        ...page,
        id: `${sets ? "" : "un"}${mark}Repository`,
        method: "POST",
        path: `/{owner}/{repo}/${sets ? "" : "un"}${mark}`,
        summary: sets ? `Begin to ${mark} a repository` : `Remove the caller's ${mark}`,
        access: repository.signedIn(),
        body: inPlace({}),
        handle: async ({ actor, repository }) => {
          await (sets ? putMark : removeMark)(deps, actor, repository, mark);
          return seeOther(repositoryPath(repository));
        },
      }),
    ),
  ];
};
