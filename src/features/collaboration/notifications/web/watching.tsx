import { readId } from "../../../../core/ids.ts";
import type { Db } from "../../../../db/db.ts";
import { signedIn } from "../../../../http/access.ts";
import { savedAt } from "../../../../http/form-submit.ts";
import { pageReader } from "../../../../http/page-reader.ts";
import { settingsPage } from "../../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { renderPage } from "../../../../ui/page.tsx";
import { textsFor } from "../../../../ui/texts/texts.ts";
import { inPlace, text } from "../../../../wire/schema.ts";
import { findRepositoryById } from "../../../repositories/repos/service/find.ts";
import { listMarkedRepositories, removeMark } from "../../../repositories/repos/service/stars-and-watches.ts";
import { notificationTexts } from "../texts/texts.ts";
import { WatchingView, watchingPath } from "../views/watching.tsx";

const page = { ...settingsPage, tag: "notification", access: signedIn, scope: ["notification", "repository"], refusesPublicOnly: true } as const;

/** @compat the address is that of Gitea (notifications/watching.test.ts) */
export const watchingPages = (deps: { readonly db: Db }): Route[] => [
  defineRoute({
    ...page,
    id: "watchingPage",
    method: "GET",
    path: watchingPath,
    summary: "The repositories that the reader watches",
    handle: async (request) => {
      const { actor, page } = request;
      const { items, total } = await listMarkedRepositories(deps, actor, actor.id, "watch", page);
      const reader = pageReader(request);
      const props = { repositories: items, total, page, formToken: reader.viewer?.formToken };
      return renderPage({ ...reader, title: textsFor(notificationTexts, reader.languages).watching }, <WatchingView {...props} />);
    },
  }),
  defineRoute({
    ...page,
    id: "stopWatching",
    method: "POST",
    path: watchingPath,
    summary: "Stop watching a repository",
    body: inPlace({ repository: text() }),
    handle: async ({ actor, body }) => {
      await removeMark(deps, actor, await findRepositoryById(deps, readId(body.repository), actor), "watch");
      return savedAt(watchingPath);
    },
  }),
];
