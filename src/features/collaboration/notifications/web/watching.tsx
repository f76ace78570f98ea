import { readId } from "../../../../core/ids.ts";
import type { Db } from "../../../../db/db.ts";
import { signedIn } from "../../../../http/access.ts";
import { savedAt } from "../../../../http/form-submit.ts";
import { pageReader } from "../../../../http/page-reader.ts";
import { settingsPage } from "../../../../http/page-route.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { renderPage } from "../../../../ui/page.tsx";
import { textsFor } from "../../../../ui/texts/texts.ts";
import { inPlace, text } from "../../../../wire/schema.ts";
import { findRepositoryById } from "../../../repositories/repos/service/find.ts";
import { listMarkedRepositories } from "../../../repositories/repos/service/stars-and-watches.ts";
import { setWatching } from "../../../repositories/repos/service/watching.ts";
import { notificationTexts } from "../texts/texts.ts";
import { type WatchingList, WatchingView, watchingListPath, watchingLists, watchingPath } from "../views/watching.tsx";

const page = { ...settingsPage, tag: "notification", access: signedIn, scope: ["notification", "repository"], refusesPublicOnly: true } as const;

const listOf = (text: string | undefined): WatchingList => watchingLists.find((one) => one === text) ?? "watched";

/** @compat the address is that of Gitea (notifications/watching.test.ts) */
export const watchingPages = (deps: { readonly db: Db }): Route[] => [
  defineRoute({
    ...page,
    id: "watchingPage",
    method: "GET",
    path: watchingPath,
    summary: "The repositories that the reader watches or ignores",
    query: { list: query.text("Which ones", watchingLists) },
    handle: async (request) => {
      const { actor, page, query } = request;
      const list = listOf(query.list);
      const { items, total } = await listMarkedRepositories(deps, actor, actor.id, list === "watched" ? "watch" : "ignored", page);
      const reader = pageReader(request);
      const props = { list, repositories: items, total, page, formToken: reader.viewer?.formToken };
      return renderPage({ ...reader, title: textsFor(notificationTexts, reader.languages).watching }, <WatchingView {...props} />);
    },
  }),
  defineRoute({
    ...page,
    id: "stopWatching",
    method: "POST",
    path: watchingPath,
    summary: "Stop watching or ignoring a repository",
    body: inPlace({ repository: text(), list: text() }),
    handle: async ({ actor, body }) => {
      await setWatching(deps, actor, await findRepositoryById(deps, readId(body.repository), actor), "participating");
      return savedAt(watchingListPath(listOf(body.list)));
    },
  }),
];
