import type { Static } from "typebox";
import { repositoryOwner } from "../../../../access/settings-owner.ts";
import { invalid } from "../../../../core/errors.ts";
import type { FormProblem } from "../../../../core/form-problem.ts";
import { readId } from "../../../../core/ids.ts";
import { type Access, repository, type SubjectsOf } from "../../../../http/access.ts";
import type { RawReply } from "../../../../http/answers.ts";
import { savedAt, seeOther, submit } from "../../../../http/form-submit.ts";
import { pageReader } from "../../../../http/page-reader.ts";
import { settingsPage } from "../../../../http/page-route.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../../http/session-cookie.ts";
import { settingsPath } from "../../../../ui/addresses.ts";
import { textsFor } from "../../../../ui/texts/texts.ts";
import { bool, inPlace, type Schema, text } from "../../../../wire/schema.ts";
import type { BranchDeps } from "../../../repositories/branches/service/deps.ts";
import { type EventName, eventNames } from "../event-names.ts";
import { type HookView, hookTypes, type SettingName, settingNames } from "../model.ts";
import { createHook, editHook, getHook, type HookDeps, listHooks, removeHook } from "../service/hooks.ts";
import { getDelivery, listDeliveries, listLatestStates, redeliver } from "../service/lists.ts";
import { tryHook } from "../service/try.ts";
import { hookTexts } from "../texts/texts.ts";
import { DeliveriesView, DeliveryPage, HookForm, HooksView, type HookValues } from "../views/hooks.tsx";
import {
  type HookOwnerPages,
  type HookPages,
  type HookRequest,
  organizationHookPages,
  repositoryHookPages,
  serverHookPages,
  userHookPages,
} from "./hook-owners.ts";

export type HookPageDeps = HookDeps & BranchDeps;

const settingFields = [...new Set(Object.values(settingNames).flatMap(({ required, optional }) => [...required, ...optional]))];

const HookFields = inPlace({
  type: text(),
  name: text(),
  url: text(),
  content_type: text(),
  secret: text(),
  authorization_header: text(),
  branch_filter: text(),
  active: bool(),
  system: bool(),
  ...(Object.fromEntries(settingFields.map((name) => [`setting_${name}`, text()])) as Record<`setting_${SettingName}`, Schema<string>>),
  ...(Object.fromEntries(eventNames.map((name) => [`event_${name}`, bool()])) as Record<`event_${EventName}`, Schema<boolean>>),
});
type Typed = Static<typeof HookFields>;
const NoFields = inPlace({});

/** Webhook pages: settings, deliveries and resending. */
export const hookPages = (deps: HookPageDeps): Route[] => [
  ...pagesOf(deps, repositoryHookPages),
  ...pagesOf(deps, organizationHookPages),
  ...pagesOf(deps, userHookPages),
  ...pagesOf(deps, serverHookPages),
  defineRoute({
    ...settingsPage,
    tag: "repository",
    access: repository.admin(),
    scope: "repository",
    id: "tryRepositoryHook",
    method: "POST",
    path: "/{owner}/{repo}/settings/hooks/{id}/test",
    summary: "Send a test push to a webhook",
    body: NoFields,
    handle: async ({ actor, repository, params }) => {
      await tryHook(deps, actor, repository, { owner: repositoryOwner(repository), id: readId(params.id), rev: "" });
      return seeOther(`${settingsPath(repository, `/hooks/${params.id}`)}#deliveries`);
    },
  }),
];

function pagesOf<A extends Access>(deps: HookPageDeps, { id, path, of, tag, access, scope, refusesPublicOnly, subjects }: HookPages<A>): Route[] {
  const page = { ...settingsPage, tag, access, scope, refusesPublicOnly } as const;
  const ownerPagesOf = (request: SubjectsOf<A>): HookOwnerPages => subjects(request);
  return [
    defineRoute({
      ...page,
      id: `hooksOf${id}Page`,
      method: "GET",
      path,
      summary: `The webhooks of ${of}`,
      handle: async (request) => {
        const ownerPages = ownerPagesOf(request);
        const { items, total } = await listHooks(deps, ownerPages.owner, request.page);
        const states = await listLatestStates(deps, items);
        const props = { path: ownerPages.path, hooks: items, states, total, page: request.page, formToken: tokenOf(request) };
        return ownerPages.frame(deps, requested(request, ownerPages), [<HooksView {...props} />]);
      },
    }),
    defineRoute({
      ...page,
      id: `newHookOf${id}Page`,
      method: "GET",
      path: `${path}/new`,
      summary: `The form for a webhook of ${of}`,
      query: { type: query.text("The type of the webhook", hookTypes) },
      handle: (request) => newHookPage(deps, requested(request, ownerPagesOf(request)), ownerPagesOf(request), request.query.type ?? "", nothingTyped),
    }),
    defineRoute({
      ...page,
      id: `addHookTo${id}`,
      method: "POST",
      path: `${path}/new`,
      summary: `Add a webhook to ${of}`,
      body: HookFields,
      handle: (request) => {
        const ownerPages = ownerPagesOf(request);
        const { body } = request;
        const add = async (): Promise<RawReply> => {
          const { type, name, secret, authorization_header: authorizationHeader, active: isActive, system } = body;
          const config = { ...configOf(body), ...(secret !== "" && { secret }), ...(system && { is_system_webhook: "true" }) };
          const hook = { type, name, config, events: eventsOf(body), branchFilter: body.branch_filter.trim(), authorizationHeader, isActive };
          await createHook(deps, ownerPages.actor, ownerPages.owner, hook);
          return savedAt(ownerPages.path);
        };
        return submit(add, (problem) => newHookPage(deps, requested(request, ownerPages), ownerPages, body.type, body, about(problem)));
      },
    }),
    defineRoute({
      ...page,
      id: `hookOf${id}Page`,
      method: "GET",
      path: `${path}/{id}`,
      summary: `A webhook of ${of} and its deliveries`,
      handle: (request) => hookPage(deps, requested(request, ownerPagesOf(request)), ownerPagesOf(request), idOf(request.params)),
    }),
    defineRoute({
      ...page,
      id: `changeHookOf${id}`,
      method: "POST",
      path: `${path}/{id}`,
      summary: `Change a webhook of ${of}`,
      body: HookFields,
      handle: (request) => {
        const ownerPages = ownerPagesOf(request);
        const { body } = request;
        const save = async (): Promise<RawReply> => {
          const { name, secret, authorization_header: header, active: isActive } = body;
          const config = { ...configOf(body), ...(secret !== "" && { secret }) };
          const authorizationHeader = header === "" ? null : header;
          const edit = { name, config, events: eventsOf(body), branchFilter: body.branch_filter.trim(), authorizationHeader, isActive };
          await editHook(deps, ownerPages.actor, ownerPages.owner, idOf(request.params), edit);
          return savedAt(`${ownerPages.path}/${idOf(request.params)}`);
        };
        return submit(save, (problem) =>
          hookPage(deps, requested(request, ownerPages), ownerPages, idOf(request.params), { values: body, problem: about(problem) }),
        );
      },
    }),
    defineRoute({
      ...page,
      id: `deleteHookOf${id}`,
      method: "POST",
      path: `${path}/{id}/delete`,
      summary: `Delete a webhook of ${of}`,
      body: NoFields,
      handle: async (request) => {
        const ownerPages = ownerPagesOf(request);
        await removeHook(deps, ownerPages.actor, ownerPages.owner, idOf(request.params));
        return savedAt(ownerPages.path, "deleted");
      },
    }),
    defineRoute({
      ...page,
      id: `deliveryOf${id}Page`,
      method: "GET",
      path: `${path}/{id}/deliveries/{delivery_id}`,
      summary: `A delivery of a webhook of ${of}`,
      handle: async (request) => {
        const ownerPages = ownerPagesOf(request);
        const hook = await getHook(deps, ownerPages.owner, idOf(request.params));
        const delivery = await getDelivery(deps, ownerPages.owner, hook.id, deliveryIdOf(request.params));
        const props = { path: `${ownerPages.path}/${hook.id}`, delivery, isCalled: hook.url !== "", formToken: tokenOf(request) };
        const title = textsFor(hookTexts, pageReader(requested(request, ownerPages)).languages).delivery;
        return ownerPages.frame(deps, requested(request, ownerPages), [<h2>{title}</h2>, <DeliveryPage {...props} />]);
      },
    }),
    defineRoute({
      ...page,
      id: `redeliverTo${id}Hook`,
      method: "POST",
      path: `${path}/{id}/deliveries/{delivery_id}/redeliver`,
      summary: `Resend a delivery of a webhook of ${of}`,
      body: NoFields,
      handle: async (request) => {
        const ownerPages = ownerPagesOf(request);
        const [hookId, deliveryId] = [idOf(request.params), deliveryIdOf(request.params)];
        await redeliver(deps, ownerPages.owner, hookId, deliveryId);
        return savedAt(`${ownerPages.path}/${hookId}/deliveries/${deliveryId}`, "started");
      },
    }),
  ];
}

/** The access rule of the owner ensures a signed-in caller. */
const requested = <R extends Omit<HookRequest, "actor">>(request: R, { actor }: HookOwnerPages): HookRequest => ({
  actor,
  page: request.page,
  session: request.session,
  headers: request.headers,
  ...(request.url !== undefined && { url: request.url }),
});

const tokenOf = ({ session }: { readonly session: string | undefined }): string => formTokenOf(requireSession(session));
const idOf = (params: object): number => readId((params as { readonly id?: string }).id ?? "");
const deliveryIdOf = (params: object): number => readId((params as { readonly delivery_id?: string }).delivery_id ?? "");

const nothingTyped: HookValues = { name: "", url: "", content_type: "json", branch_filter: "", active: true, system: false, event_push: true };

async function newHookPage(
  deps: HookPageDeps,
  request: HookRequest,
  ownerPages: HookOwnerPages,
  wanted: string,
  values: HookValues,
  problem?: FormProblem,
): Promise<RawReply> {
  const type = hookTypes.find((one) => one === wanted) ?? "gitea";
  const { add } = textsFor(hookTexts, pageReader(request).languages);
  const asksForSystem = ownerPages.owner.scope === "server";
  const props = { action: `${ownerPages.path}/new`, type, values, asksForSystem, isNew: true, problem, formToken: tokenOf(request) };
  return ownerPages.frame(deps, request, [<h2>{add}</h2>, <HookForm {...props} />]);
}

async function hookPage(
  deps: HookPageDeps,
  request: HookRequest,
  ownerPages: HookOwnerPages,
  id: number,
  refused?: { readonly values: HookValues; readonly problem: FormProblem },
): Promise<RawReply> {
  const { page } = request;
  const formToken = tokenOf(request);
  const hook = await getHook(deps, ownerPages.owner, id);
  const { items, total } = await listDeliveries(deps, ownerPages.owner, id, { state: undefined, event: undefined }, page);
  const path = `${ownerPages.path}/${id}`;
  const form = { action: path, type: hook.type, values: refused?.values ?? valuesOf(hook), asksForSystem: false, isNew: false, formToken };
  const { edit } = textsFor(hookTexts, pageReader(request).languages);
  return ownerPages.frame(deps, request, [
    <h2>{edit}</h2>,
    <HookForm {...form} problem={refused?.problem} />,
    <DeliveriesView path={path} deliveries={items} total={total} page={page} canTest={ownerPages.owner.scope === "repository"} formToken={formToken} />,
  ]);
}

function valuesOf(hook: HookView): HookValues {
  return {
    ...nothingTyped,
    name: hook.name,
    url: hook.url,
    content_type: hook.contentType,
    branch_filter: hook.branchFilter,
    active: hook.isActive,
    ...Object.fromEntries(Object.entries(hook.settings).map(([name, value]) => [`setting_${name}`, value])),
    ...Object.fromEntries(eventNames.map((name) => [`event_${name}`, hook.events.includes(name)])),
  };
}

/** Address, content type and the settings of the type. */
function configOf(body: Typed): Record<string, string> {
  const type = hookTypes.find((one) => one === body.type);
  const { required, optional } = settingNames[type ?? "gitea"];
  const settings = [...required, ...optional].map((name) => [name, body[`setting_${name}`]] as const);
  return { url: body.url.trim(), content_type: body.content_type, ...Object.fromEntries(settings) };
}

/** The API's `issues` and `pull_request` include all related events; the form selects each separately. */
function eventsOf(body: Typed): string[] {
  const chosen = eventNames.filter((name) => body[`event_${name}`]);
  if (chosen.length === 0) throw invalid("[Events]: Required", { reason: "event_required" });
  return chosen.map((name) => (name === "issues" || name === "pull_request" ? `${name}_only` : name));
}

/** Maps the settings of the receivers to the fields of the form. */
function about(problem: FormProblem): FormProblem {
  const isSetting = Object.values(settingNames).some(({ required }) => required.some((name) => name === problem.field));
  return isSetting ? { ...problem, field: `setting_${problem.field}` } : problem;
}
