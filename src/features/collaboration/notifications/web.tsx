import type { UserActor } from "../../../access/actor.ts";
import type { Clock } from "../../../core/clock.ts";
import { invalid, isForgeError, notFound } from "../../../core/errors.ts";
import { readId } from "../../../core/ids.ts";
import { localPath } from "../../../core/urls.ts";
import type { Db } from "../../../db/db.ts";
import { signedIn } from "../../../http/access.ts";
import { raw } from "../../../http/answers.ts";
import { seeOther } from "../../../http/form-submit.ts";
import { pageReader } from "../../../http/page-reader.ts";
import { query } from "../../../http/query.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { renderPage } from "../../../ui/page.tsx";
import { sharedTexts } from "../../../ui/texts/shared.ts";
import { textsFor } from "../../../ui/texts/texts.ts";

import { inPlace, int, list, text } from "../../../wire/schema.ts";
import { findRepository } from "../../repositories/repos/service/find.ts";
import { type ThreadFilter, threadStatuses } from "./model.ts";
import { listThreads, loadLatestNews, markMany, markOne } from "./service/threads.ts";
import { InboxView, inboxStates } from "./views/inbox.tsx";

export interface InboxDeps {
  readonly db: Db;
  readonly clock: Clock;
}

const page = {
  mount: "root",
  tag: "notification",
  isUnlisted: true,
  isPage: true,
  access: signedIn,
  scope: "notification",
  refusesPublicOnly: true,
  answers: raw(["text/html"]),
} as const;
const MarkForm = inPlace({ status: text(), back: text() });
const MarkSelectedForm = inPlace({ ids: list(int()), status: text(), back: text() });
const MarkAllForm = inPlace({ repository: text(), back: text() });

/** Notification pages. */
export const inboxPages = (deps: InboxDeps): Route[] => [
  defineRoute({
    ...page,
    id: "inboxPage",
    method: "GET",
    path: "/notifications",
    summary: "The reader's notifications, latest first",
    query: { status: query.text("Which ones", inboxStates), repository: query.text("Only this repository: `owner/name`") },
    handle: async (request) => {
      const { actor, query, page } = request;
      const state = inboxStates.find((one) => one === query.status) ?? "unread";
      const repository = query.repository ?? "";
      const filter = await ofRepository(deps, actor, repository, { statuses: state === "all" ? [] : [state], subjectTypes: [] });
      const { items, total } = await listThreads(deps, actor, filter, page);
      const latest = await loadLatestNews(deps, items);
      const reader = pageReader(request);
      const props = { threads: items, latest, total, page, state, repository, formToken: reader.viewer?.formToken, now: deps.clock.now() };
      return renderPage({ ...reader, title: textsFor(sharedTexts, reader.languages).site.notifications }, <InboxView {...props} />);
    },
  }),
  defineRoute({
    ...page,
    id: "markAllNotifications",
    method: "POST",
    path: "/notifications/read",
    summary: "Mark all unread notifications as read, optionally of one repository",
    body: MarkAllForm,
    handle: async ({ actor, body }) => {
      await markMany(deps, actor, await ofRepository(deps, actor, body.repository, { statuses: ["unread"], subjectTypes: [] }), "read");
      return seeOther(localPath(body.back));
    },
  }),
  defineRoute({
    ...page,
    id: "markSelectedNotifications",
    method: "POST",
    path: "/notifications/selected",
    summary: "Mark the selected notifications",
    body: MarkSelectedForm,
    handle: async ({ actor, body }) => {
      if (body.ids.length === 0) throw invalid("no notification is selected", { reason: "nothing_chosen" });
      const status = threadStatuses.find((one) => one === body.status) ?? "read";
      await markMany(deps, actor, { ids: body.ids, statuses: [], subjectTypes: [] }, status);
      return seeOther(localPath(body.back));
    },
  }),
  defineRoute({
    ...page,
    id: "markNotification",
    method: "POST",
    path: "/notifications/{id}",
    summary: "Mark a notification",
    body: MarkForm,
    handle: async ({ actor, params, body }) => {
      const status = threadStatuses.find((one) => one === body.status) ?? "read";
      // The API distinguishes another user's thread from a missing one, as its contract requires; a page does not.
      await markOne(deps, actor, readId(params.id), status).catch((error: unknown) => {
        throw isForgeError(error, "forbidden") ? notFound() : error;
      });
      return seeOther(localPath(body.back));
    },
  }),
];

/** @throws ForgeError `not_found` for a repository that the caller cannot see */
async function ofRepository(deps: InboxDeps, actor: UserActor, fullName: string, filter: ThreadFilter): Promise<ThreadFilter> {
  if (fullName === "") return filter;
  const [owner = "", name = ""] = fullName.split("/");
  const found = await findRepository(deps, owner, name, actor);
  return "subject" in found ? { ...filter, repoId: found.subject.id } : ofRepository(deps, actor, found.movedTo, filter);
}
