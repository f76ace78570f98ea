import { readId } from "../../../../core/ids.ts";
import { lengths } from "../../../../core/lengths.ts";
import type { Db } from "../../../../db/db.ts";
import type { RawReply } from "../../../../http/answers.ts";
import { readOption, savedAt, submit } from "../../../../http/form-submit.ts";
import { pageReader } from "../../../../http/page-reader.ts";
import { type Refused, repositorySettingsPage, type SettingsRequest } from "../../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../../http/session-cookie.ts";
import { settingsPath } from "../../../../ui/addresses.ts";
import { renderRepositorySettings } from "../../../../ui/settings.tsx";
import { CreateKeyOption } from "../../../../wire/key.ts";
import { bool, inPlace, text } from "../../../../wire/schema.ts";
import { repositoryHeader } from "../../../repositories/repos/header.ts";
import { getRepository } from "../../../repositories/repos/service/loaders.ts";
import { addDeployKey, listDeployKeys, removeDeployKey } from "../service/deploy-keys.ts";
import { checkTypedKey } from "../service/read-key.ts";
import { DeployKeysView, type NewDeployKey } from "../views/deploy-keys.tsx";

interface DeployKeyDeps {
  readonly db: Db;
}

const KeyForm = inPlace({ title: text(lengths.line), key: text(), can_write: bool() });
const NoFields = inPlace({});
const page = repositorySettingsPage;
const path = "/{owner}/{repo}/settings/keys";

export const deployKeyPages = (deps: DeployKeyDeps): Route[] => [
  defineRoute({ ...page, id: "deployKeysPage", method: "GET", path, summary: "The deploy keys of a repository", handle: (request) => show(deps, request) }),
  defineRoute({
    ...page,
    id: "addDeployKeyByForm",
    method: "POST",
    path,
    summary: "Add a deploy key to a repository",
    body: KeyForm,
    handle: (request) => {
      const { actor, repository, body } = request;
      const add = async (): Promise<RawReply> => {
        const { title, key } = readOption(CreateKeyOption, { title: body.title.trim(), key: body.key.trim() });
        await addDeployKey(deps, actor, repository, { title, key, isReadOnly: !body.can_write });
        return savedAt(settingsPath(repository, "/keys"));
      };
      return submit(add, (problem) => show(deps, request, { values: body, problem }), { field: "key", checks: { key: () => checkTypedKey(body.key) } });
    },
  }),
  defineRoute({
    ...page,
    id: "removeDeployKeyByForm",
    method: "POST",
    path: `${path}/{id}/remove`,
    summary: "Remove a deploy key",
    body: NoFields,
    handle: async ({ actor, repository, params }) => {
      await removeDeployKey(deps, actor, repository, readId(params.id));
      return savedAt(settingsPath(repository, "/keys"), "deleted");
    },
  }),
];

async function show(deps: DeployKeyDeps, request: SettingsRequest, refused?: Refused<NewDeployKey>): Promise<RawReply> {
  const { actor, repository, page, session } = request;
  const { items, total } = await listDeployKeys(deps, repository, { keyId: undefined, fingerprint: undefined }, page);
  const view = await getRepository(deps, actor, repository.id);
  const values = { title: "", key: "", can_write: false };
  const props = { repository, keys: items, total, page, values, formToken: formTokenOf(requireSession(session)), ...refused };
  return renderRepositorySettings({ ...pageReader(request), repository: repositoryHeader(view), section: "keys" }, <DeployKeysView {...props} />);
}
