import type { UserActor } from "../../../../access/actor.ts";
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
import { addUserKey, listUserKeys, removeUserKey } from "../service/user-keys.ts";
import { type NewUserKey, UserKeysView } from "../views/user-keys.tsx";

interface UserKeyDeps {
  readonly db: Db;
}

const KeyForm = inPlace({ title: text(lengths.line), key: text() });
const NoFields = inPlace({});
const page = { ...settingsPage, tag: "user", access: signedIn, scope: "user", refusesPublicOnly: true } as const;
const path = "/user/settings/keys";

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
      return submit(add, (problem) => show(deps, request, { values: body, problem }), { field: "key" });
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
];

type OwnRequest = PageRequest & { readonly actor: UserActor; readonly page: Page };

async function show(deps: UserKeyDeps, request: OwnRequest, refused?: Refused<NewUserKey>): Promise<RawReply> {
  const { actor, page, session } = request;
  const { items, total } = await listUserKeys(deps, actor, actor.id, undefined, page);
  const props = { path, keys: items, total, page, values: { title: "", key: "" }, formToken: formTokenOf(requireSession(session)), ...refused };
  return renderAccountSettings({ ...pageReader(request), section: "keys" }, <UserKeysView {...props} />);
}
