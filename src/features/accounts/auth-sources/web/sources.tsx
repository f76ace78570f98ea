import type { Static } from "typebox";
import type { UserActor } from "../../../../access/actor.ts";
import type { FormProblem } from "../../../../core/form-problem.ts";
import { readId } from "../../../../core/ids.ts";
import type { Page } from "../../../../core/paging.ts";
import type { Explained } from "../../../../core/reasons.ts";
import type { Urls } from "../../../../core/urls.ts";
import { siteAdmin } from "../../../../http/access.ts";
import type { RawReply } from "../../../../http/answers.ts";
import { savedAt, submit } from "../../../../http/form-submit.ts";
import { type PageRequest, pageReader } from "../../../../http/page-reader.ts";
import { type Refused, settingsPage } from "../../../../http/page-route.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../../http/session-cookie.ts";
import { Refusal } from "../../../../ui/form-problems.tsx";
import type { Html } from "../../../../ui/html.ts";
import { administrationPaths, renderAdministration } from "../../../../ui/settings.tsx";
import { textsFor } from "../../../../ui/texts/texts.ts";
import { bool, inPlace, type Schema, text } from "../../../../wire/schema.ts";
import { type Filled, fillIn, isSwitch, type LdapField, ldapFields, type OidcField, oidcFields, readLdap, readOidc } from "../form-fields.ts";
import type { SourceSettings, SourceView } from "../model.ts";
import { checksOfSettings } from "../service/check-settings.ts";
import { checkSource, createSource, editSource, getSource, listSources, removeSource, type SourceDeps } from "../service/sources.ts";
import { callbackPath } from "../settings.ts";
import { authSourceTexts } from "../texts/texts.ts";
import { SourceEnd, SourceForm, SourcesView } from "../views/sources.tsx";

interface SourcePageDeps extends SourceDeps {
  readonly urls: Urls;
}

const settingFields = <Name extends string>(kind: SourceView["kind"], names: Readonly<Record<Name, string>>): Record<Name, Schema<string | boolean>> =>
  Object.fromEntries(Object.keys(names).map((name) => [name, isSwitch(kind, name) ? bool() : text()])) as Record<Name, Schema<string | boolean>>;

const SourceFields = inPlace({
  kind: text(),
  name: text(),
  active: bool(),
  auto_register: bool(),
  secret: text(),
  ...settingFields<LdapField>("ldap", ldapFields),
  ...settingFields<OidcField>("oidc", oidcFields),
});
const NoFields = inPlace({});

const page = { ...settingsPage, tag: "admin", scope: "admin", access: siteAdmin } as const;
const path = administrationPaths.sources;

/** Sign-in source pages for administrators. */
export const adminSourcePages = (deps: SourcePageDeps): Route[] => [
  defineRoute({
    ...page,
    id: "adminSourcesPage",
    method: "GET",
    path,
    summary: "Sign-in sources",
    handle: async (request) => {
      const { items, total } = await listSources(deps, request.page);
      return show(request, <SourcesView path={path} sources={items} total={total} page={request.page} />);
    },
  }),
  defineRoute({
    ...page,
    id: "adminNewSourcePage",
    method: "GET",
    path: `${path}/new`,
    summary: "The form of a sign-in source",
    query: { kind: query.text("What it is") },
    handle: (request) => {
      const kind = kindOf(request.query.kind);
      return newPage(request, kind, { ...fillIn(kind), active: true, auto_register: true });
    },
  }),
  defineRoute({
    ...page,
    id: "addSourceByForm",
    method: "POST",
    path: `${path}/new`,
    summary: "Add a sign-in source",
    body: SourceFields,
    handle: (request) => {
      const { actor, body } = request;
      const kind = kindOf(body.kind);
      const add = async (): Promise<RawReply> => {
        const { id } = await createSource(deps, actor, { ...sharedOf(body), secret: body.secret, ...settingsOf(kind, body) });
        // The next steps are there: the address for the provider, and the test of the connection.
        return savedAt(`${path}/${id}`);
      };
      const again = (problem: FormProblem) => newPage(request, kind, withoutSecret(body), problem);
      return submit(add, again, { field: "name", checks: checksOfSettings(settingsOf(kind, body)) });
    },
  }),
  defineRoute({
    ...page,
    id: "adminSourcePage",
    method: "GET",
    path: `${path}/{id}`,
    summary: "One sign-in source",
    handle: (request) => sourcePage(deps, request, readId(request.params.id)),
  }),
  defineRoute({
    ...page,
    id: "changeSourceByForm",
    method: "POST",
    path: `${path}/{id}`,
    summary: "Change a sign-in source",
    body: SourceFields,
    handle: (request) => {
      const { actor, body, params } = request;
      const id = readId(params.id);
      const save = async (): Promise<RawReply> => {
        const { kind } = await getSource(deps, id);
        const settings = kind === "ldap" ? { ldap: readLdap(body) } : { oidc: readOidc(body) };
        await editSource(deps, actor, id, { ...sharedOf(body), ...settings, ...(body.secret !== "" && { secret: body.secret }) });
        return savedAt(`${path}/${id}`);
      };
      const again = (problem: FormProblem) => sourcePage(deps, request, id, { values: withoutSecret(body), problem });
      return submit(save, again, { field: "name", checks: checksOfSettings(settingsOf(kindOf(body.kind), body)) });
    },
  }),
  defineRoute({
    ...page,
    id: "checkSourceByForm",
    method: "POST",
    path: `${path}/{id}/check`,
    summary: "Check whether a sign-in source works",
    body: NoFields,
    handle: (request) => {
      const id = readId(request.params.id);
      const check = async (): Promise<RawReply> => {
        await checkSource(deps, id);
        return savedAt(`${path}/${id}`, "connected");
      };
      return submit(check, (refusal) => sourcePage(deps, request, id, undefined, refusal), { also: ["unavailable"] });
    },
  }),
  defineRoute({
    ...page,
    id: "deleteSourceByForm",
    method: "POST",
    path: `${path}/{id}/delete`,
    summary: "Remove a sign-in source that has no users",
    body: NoFields,
    handle: (request) => {
      const id = readId(request.params.id);
      const remove = async (): Promise<RawReply> => {
        await removeSource(deps, request.actor, id);
        return savedAt(path, "deleted");
      };
      return submit(remove, (refusal) => sourcePage(deps, request, id, undefined, refusal));
    },
  }),
];

interface SourceRequest extends PageRequest {
  readonly actor: UserActor;
  readonly page: Page;
}

type Typed = Static<typeof SourceFields>;

const kindOf = (text: string | undefined): SourceView["kind"] => (text === "ldap" ? "ldap" : "oidc");
const settingsOf = (kind: SourceView["kind"], typed: Typed): SourceSettings =>
  kind === "ldap" ? { kind, settings: readLdap(typed) } : { kind, settings: readOidc(typed) };
const sharedOf = ({ name, active, auto_register }: Typed) => ({ name: name.trim(), isActive: active, autoRegister: auto_register });
const withoutSecret = ({ secret: _, ...rest }: Typed): Filled => rest;

const tokenOf = ({ session }: PageRequest): string => formTokenOf(requireSession(session));
const show = (request: SourceRequest, ...content: readonly Html[]): RawReply =>
  renderAdministration({ ...pageReader(request), section: "sources" }, ...content);

async function newPage(request: SourceRequest, kind: SourceView["kind"], values: Filled, problem?: FormProblem): Promise<RawReply> {
  const { kinds } = textsFor(authSourceTexts, pageReader(request).languages);
  const form = <SourceForm action={`${path}/new`} kind={kind} isNew values={values} problem={problem} formToken={tokenOf(request)} />;
  return show(request, <h2>{kinds[kind]}</h2>, form);
}

async function sourcePage(deps: SourcePageDeps, request: SourceRequest, id: number, refused?: Refused<Filled>, refusal?: Explained): Promise<RawReply> {
  const source = await getSource(deps, id);
  const formToken = tokenOf(request);
  const values = { ...fillIn(source.kind, source.settings), name: source.name, active: source.isActive, auto_register: source.autoRegister };
  const redirectUri = source.kind === "oidc" ? deps.urls.web(...callbackPath(source.name)) : undefined;
  return show(
    request,
    <h2>{source.name}</h2>,
    refusal !== undefined && <Refusal problem={refusal} />,
    <SourceForm action={`${path}/${id}`} kind={source.kind} isNew={false} values={values} formToken={formToken} {...refused} />,
    <SourceEnd path={`${path}/${id}`} redirectUri={redirectUri} formToken={formToken} />,
  );
}
