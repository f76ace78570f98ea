import type { UserActor } from "../../../../access/actor.ts";
import type { Config } from "../../../../config/config.ts";
import { readId } from "../../../../core/ids.ts";
import { lengths } from "../../../../core/lengths.ts";
import type { Page } from "../../../../core/paging.ts";
import type { Db } from "../../../../db/db.ts";
import { signedIn } from "../../../../http/access.ts";
import type { RawReply } from "../../../../http/answers.ts";
import { readOption, savedAt, submit } from "../../../../http/form-submit.ts";
import { type PageRequest, pageReader } from "../../../../http/page-reader.ts";
import { type Refused, settingsPage } from "../../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../../http/session-cookie.ts";
import { renderAccountSettings } from "../../../../ui/settings.tsx";
import { CreateKeyOption } from "../../../../wire/key.ts";
import { inPlace, text } from "../../../../wire/schema.ts";
import { acceptsCertificates, addPrincipal, listOwnPrincipals, removePrincipal } from "../service/principals.ts";
import { checkTypedKey } from "../service/read-key.ts";
import { addUserKey, listUserKeys, removeUserKey } from "../service/user-keys.ts";
import { type NewUserKey, UserKeysView } from "../views/user-keys.tsx";

interface UserKeyDeps {
  readonly db: Db;
  readonly config: Pick<Config, "ssh">;
}

const KeyForm = inPlace({ title: text(lengths.line), key: text() });
const PrincipalForm = inPlace({ principal: text(lengths.line) });
const NoFields = inPlace({});
const page = { ...settingsPage, tag: "user", access: signedIn, scope: "user", refusesPublicOnly: true } as const;
const path = "/user/settings/keys";
const principalsPath = `${path}/principals`;

/** Pages of the caller's SSH keys. */
export const userKeyPages = (deps: UserKeyDeps): Route[] => [
  defineRoute({ ...page, id: "userKeysPage", method: "GET", path, summary: "The caller's SSH keys", handle: (request) => show(deps, request) }),
  defineRoute({
    ...page,
    id: "addUserKeyByForm",
    method: "POST",
    path,
    summary: "Add an SSH key",
    body: KeyForm,
    handle: (request) => {
      const { actor, body } = request;
      const add = async (): Promise<RawReply> => {
        const { title, key } = readOption(CreateKeyOption, { title: body.title.trim(), key: body.key.trim() });
        await addUserKey(deps, actor, actor, { title, key });
        return savedAt(path);
      };
      return submit(add, (problem) => show(deps, request, { key: { values: body, problem } }), {
        field: "key",
        checks: { key: () => checkTypedKey(body.key) },
      });
    },
  }),
  defineRoute({
    ...page,
    id: "removeUserKeyByForm",
    method: "POST",
    path: `${path}/{id}/remove`,
    summary: "Remove an SSH key",
    body: NoFields,
    handle: async ({ actor, params }) => {
      await removeUserKey(deps, actor, actor, readId(params.id));
      return savedAt(path, "deleted");
    },
  }),
  defineRoute({
    ...page,
    id: "addPrincipalByForm",
    method: "POST",
    path: principalsPath,
    summary: "Add a principal of SSH certificates",
    body: PrincipalForm,
    handle: (request) => {
      const { actor, body } = request;
      const principal = body.principal.trim();
      const add = async (): Promise<RawReply> => {
        await addPrincipal(deps, actor, principal);
        return savedAt(path);
      };
      return submit(add, (problem) => show(deps, request, { principal: { values: principal, problem } }), { field: "principal" });
    },
  }),
  defineRoute({
    ...page,
    id: "removePrincipalByForm",
    method: "POST",
    path: `${principalsPath}/{id}/remove`,
    summary: "Remove a principal of SSH certificates",
    body: NoFields,
    handle: async ({ actor, params }) => {
      await removePrincipal(deps, actor, readId(params.id));
      return savedAt(path, "deleted");
    },
  }),
];

type OwnRequest = PageRequest & { readonly actor: UserActor; readonly page: Page };

interface RefusedForm {
  readonly key?: Refused<NewUserKey>;
  readonly principal?: Refused<string>;
}

async function show(deps: UserKeyDeps, request: OwnRequest, refused: RefusedForm = {}): Promise<RawReply> {
  const { actor, page, session } = request;
  const { items, total } = await listUserKeys(deps, actor, actor.id, undefined, page);
  const principals = acceptsCertificates(deps.config) ? await principalsOf(deps, actor, refused.principal) : undefined;
  const formToken = formTokenOf(requireSession(session));
  const props = { path, keys: items, total, page, values: { title: "", key: "" }, principals, formToken, ...refused.key };
  return renderAccountSettings({ ...pageReader(request), section: "keys" }, <UserKeysView {...props} />);
}

async function principalsOf({ db, config }: UserKeyDeps, actor: UserActor, refused: Refused<string> | undefined) {
  const { certificate_principals: allowed } = config.ssh;
  return { path: principalsPath, principals: await listOwnPrincipals({ db }, actor), allowed, value: refused?.values ?? "", problem: refused?.problem };
}
