import { repositoryOwner } from "../../../../access/settings-owner.ts";
import { readId } from "../../../../core/ids.ts";
import type { Access } from "../../../../http/access.ts";
import { repository } from "../../../../http/access.ts";
import { empty, json, list } from "../../../../http/answers.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { HookDelivery, HookEvent } from "../../../../wire/hook.ts";
import type { BranchDeps } from "../../../repositories/branches/service/deps.ts";
import { deliveryStates } from "../model.ts";
import { presentDelivery, presentEvent } from "../present.ts";
import { getDelivery, listDeliveries, listEventsSince, redeliver } from "../service/lists.ts";
import { tryHook, tryHookWith } from "../service/try.ts";
import { common, type HookOwnerPages, hookIdOf, organizationHooks, repositoryHooks, serverHooks, userHooks } from "./hook-owners.ts";

const testSummary = "Send a test push to a webhook; no ref moves";
const ref = query.text("A branch, tag or commit; the default branch if omitted");

/** Deliveries of webhooks: list, show, resend, test and fetch. */
export const deliveryRoutes = (deps: BranchDeps): Route[] => [
  defineRoute({
    id: "repoTestHook",
    method: "POST",
    path: "/repos/{owner}/{repo}/hooks/{id}/tests",
    tag: "repository",
    summary: testSummary,
    access: repository.admin(),
    scope: "repository",
    query: { ref },
    answers: empty(),
    refusals: { 404: "notFound" },
    handle: ({ actor, repository, params, query }) =>
      tryHook(deps, actor, repository, {
        owner: repositoryOwner(repository),
        id: hookIdOf(params),
        rev: query.ref ?? "",
      }),
  }),
  testRoute(deps, organizationHooks),
  testRoute(deps, userHooks),
  testRoute(deps, serverHooks),
  ...routesOf(deps, repositoryHooks),
  ...routesOf(deps, organizationHooks),
  ...routesOf(deps, userHooks),
  ...routesOf(deps, serverHooks),
];

const testRoute = <A extends Access>(deps: BranchDeps, ownerPages: HookOwnerPages<A>): Route =>
  defineRoute({
    ...common(ownerPages),
    id: `${ownerPages.id}TestHook`,
    method: "POST",
    path: `${ownerPages.path}/{id}/tests`,
    summary: testSummary,
    query: { repository: query.text("Full name of the repository whose push is sent; the last updated one if omitted"), ref },
    answers: empty(),
    refusals: { 404: "notFound", 422: "validationError" },
    handle: (request) => {
      const { actor, owner } = ownerPages.subjects(request);
      const { repository = "", ref = "" } = request.query;
      return tryHookWith(deps, actor, { owner, id: hookIdOf(request.params), rev: ref }, repository);
    },
  });

function routesOf<A extends Access>(deps: BranchDeps, ownerPages: HookOwnerPages<A>): Route[] {
  const { id, of, subjects } = ownerPages;
  const path = `${ownerPages.path}/{id}`;
  const ownRefusals = { refusals: { 404: "notFound" } };
  return [
    defineRoute({
      ...common(ownerPages),
      ...ownRefusals,
      id: `${id}ListHookDeliveries`,
      method: "GET",
      path: `${path}/deliveries`,
      summary: `List the deliveries of a webhook of ${of}, newest first`,
      query: {
        status: query.text("Only deliveries with this status", deliveryStates),
        event: query.text("Only deliveries of this event, such as push"),
      },
      answers: list(HookDelivery, "links"),
      handle: async (request) => {
        const state = deliveryStates.find((known) => known === request.query.status);
        const filter = { state, event: request.query.event || undefined };
        const { items, total } = await listDeliveries(deps, subjects(request).owner, hookIdOf(request.params), filter, request.page);
        return { total, items: items.map(presentDelivery) };
      },
    }),
    defineRoute({
      ...common(ownerPages),
      ...ownRefusals,
      id: `${id}GetHookDelivery`,
      method: "GET",
      path: `${path}/deliveries/{delivery_id}`,
      summary: `Get a delivery of a webhook of ${of} with its payload`,
      answers: json(200, HookDelivery),
      handle: async (request) => presentDelivery(await getDelivery(deps, subjects(request).owner, hookIdOf(request.params), deliveryIdOf(request.params))),
    }),
    defineRoute({
      ...common(ownerPages),
      ...ownRefusals,
      id: `${id}RedeliverHook`,
      method: "POST",
      path: `${path}/deliveries/{delivery_id}/redeliver`,
      summary: `Resend a delivery of a webhook of ${of} under the same id`,
      answers: empty(202),
      handle: (request) => redeliver(deps, subjects(request).owner, hookIdOf(request.params), deliveryIdOf(request.params)),
    }),
    defineRoute({
      ...common(ownerPages),
      ...ownRefusals,
      id: `${id}ListHookEvents`,
      method: "GET",
      path: `${path}/events`,
      summary: `List the events of a webhook of ${of} after a sequence number, for receivers that this server cannot reach`,
      query: { since: query.integer("The last known sequence number; 0 if omitted") },
      answers: list(HookEvent, "none"),
      handle: async (request) => {
        const events = await listEventsSince(deps, subjects(request).owner, hookIdOf(request.params), request.query.since ?? 0, request.page.limit);
        return { total: events.length, items: events.map(presentEvent) };
      },
    }),
  ];
}

const deliveryIdOf = (params: object): number => readId((params as { readonly delivery_id?: string }).delivery_id ?? "");
