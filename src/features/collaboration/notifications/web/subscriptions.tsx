import type { Clock } from "../../../../core/clock.ts";
import { readId } from "../../../../core/ids.ts";
import type { Db } from "../../../../db/db.ts";
import { signedIn } from "../../../../http/access.ts";
import { savedAt } from "../../../../http/form-submit.ts";
import { pageReader } from "../../../../http/page-reader.ts";
import { settingsPage } from "../../../../http/page-route.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { withQuery } from "../../../../ui/addresses.ts";
import { renderPage } from "../../../../ui/page.tsx";
import { textsFor } from "../../../../ui/texts/texts.ts";
import { inPlace, text } from "../../../../wire/schema.ts";
import { findRepositoryById } from "../../../repositories/repos/service/find.ts";
import { setSubscription } from "../../issues/links/service/subscriptions.ts";
import { listFollowed } from "../../issues/search/service/followed.ts";
import { loadTaskProgress } from "../../issues/tasks/service/progress.ts";
import { notificationTexts } from "../texts/texts.ts";
import { SubscriptionsView, subscriptionKinds, subscriptionStates, subscriptionsPath } from "../views/subscriptions.tsx";

const page = {
  ...settingsPage,
  path: subscriptionsPath,
  tag: "notification",
  access: signedIn,
  scope: ["notification", "issue"],
  refusesPublicOnly: true,
} as const;

const filters = {
  state: query.text("Only issues in this state", subscriptionStates),
  issueType: query.text("Only issues, or only pull requests", subscriptionKinds),
};

/** @compat the address and its filters are those of Gitea (notifications/subscriptions.test.ts) */
export const subscriptionPages = (deps: { readonly db: Db; readonly clock: Clock }): Route[] => [
  defineRoute({
    ...page,
    id: "subscriptionsPage",
    method: "GET",
    summary: "The issues and pull requests that the reader is subscribed to",
    query: filters,
    handle: async (request) => {
      const { actor, page } = request;
      const state = subscriptionStates.find((one) => one === request.query.state) ?? "open";
      const kind = subscriptionKinds.find((one) => one === request.query.issueType) ?? "all";
      const filter = { isClosed: state === "all" ? undefined : state === "closed", isPull: kind === "all" ? undefined : kind === "pulls" };
      const { items, total } = await listFollowed(deps, actor, filter, page);
      const reader = pageReader(request);
      const shown = { state, kind, issues: items, total, page, progress: await loadTaskProgress(deps.db, items) };
      return renderPage(
        { ...reader, title: textsFor(notificationTexts, reader.languages).subscriptions },
        <SubscriptionsView {...shown} formToken={reader.viewer?.formToken} now={deps.clock.now()} />,
      );
    },
  }),
  defineRoute({
    ...page,
    id: "unsubscribeFromList",
    method: "POST",
    summary: "Unsubscribe from an issue or pull request",
    query: { ...filters, page: query.integer("The page of the list to return to") },
    body: inPlace({ repository: text(), number: text() }),
    handle: async ({ actor, body, query }) => {
      const repository = await findRepositoryById(deps, readId(body.repository), actor);
      await setSubscription(deps, actor, repository, { number: body.number, user: actor.name }, false);
      return savedAt(withQuery(subscriptionsPath, query));
    },
  }),
];
