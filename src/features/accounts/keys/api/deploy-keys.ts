import { readId } from "../../../../core/ids.ts";
import type { Urls } from "../../../../core/urls.ts";
import type { Db } from "../../../../db/db.ts";
import { repository } from "../../../../http/access.ts";
import { empty, json, list } from "../../../../http/answers.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { CreateKeyOption, DeployKey } from "../../../../wire/key.ts";
import { getRepository } from "../../../repositories/repos/service/loaders.ts";
import { presentDeployKey, presentKeyRepository } from "../present.ts";
import { addDeployKey, getDeployKey, listDeployKeys, removeDeployKey } from "../service/deploy-keys.ts";

export interface DeployKeyApiDeps {
  readonly db: Db;
  readonly urls: Urls;
}

/** Deploy keys: keys that act for one repository. */
export function deployKeyRoutes(deps: DeployKeyApiDeps): Route[] {
  const { urls } = deps;
  return [
    defineRoute({
      id: "repoListKeys",
      method: "GET",
      path: "/repos/{owner}/{repo}/keys",
      tag: "repository",
      summary: "List the deploy keys of a repository",
      access: repository.admin(),
      scope: "repository",
      query: { key_id: query.integer("Only the key with this id"), fingerprint: query.text("Only the key with this fingerprint") },
      answers: list(DeployKey, "total"),
      refusals: { 404: "notFound" },
      handle: async ({ actor, repository, query, page }) => {
        const { items, total } = await listDeployKeys(deps, repository, { keyId: query.key_id, fingerprint: query.fingerprint }, page);
        if (items.length === 0) return { total, items: [] };
        const shown = presentKeyRepository(await getRepository(deps, actor, repository.id), actor, urls);
        return { total, items: items.map((key) => presentDeployKey(key, repository, urls, shown)) };
      },
    }),
    defineRoute({
      id: "repoCreateKey",
      method: "POST",
      path: "/repos/{owner}/{repo}/keys",
      tag: "repository",
      summary: "Add a deploy key to a repository",
      access: repository.admin(),
      scope: "repository",
      body: CreateKeyOption,
      answers: json(201, DeployKey),
      refusals: { 404: "notFound", 422: "validationError" },
      handle: async ({ actor, repository, body }) =>
        presentDeployKey(await addDeployKey(deps, actor, repository, { title: body.title, key: body.key, isReadOnly: body.read_only }), repository, urls),
    }),
    defineRoute({
      id: "repoGetKey",
      method: "GET",
      path: "/repos/{owner}/{repo}/keys/{id}",
      tag: "repository",
      summary: "Get a deploy key",
      access: repository.admin(),
      scope: "repository",
      answers: json(200, DeployKey),
      refusals: { 404: "notFound" },
      handle: async ({ actor, repository, params }) => {
        const key = await getDeployKey(deps, repository, readId(params.id));
        return presentDeployKey(key, repository, urls, presentKeyRepository(await getRepository(deps, actor, repository.id), actor, urls));
      },
    }),
    defineRoute({
      id: "repoDeleteKey",
      method: "DELETE",
      path: "/repos/{owner}/{repo}/keys/{id}",
      tag: "repository",
      summary: "Remove a deploy key from a repository",
      access: repository.admin(),
      scope: "repository",
      answers: empty(),
      refusals: { 403: "forbidden", 404: "notFound" },
      handle: ({ actor, repository, params }) => removeDeployKey(deps, actor, repository, readId(params.id)),
    }),
  ];
}
