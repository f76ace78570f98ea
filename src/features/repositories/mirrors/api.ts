import { repository } from "../../../http/access.ts";
import { empty, json, list } from "../../../http/answers.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { CreatePushMirrorOption, PushMirror } from "../../../wire/mirror.ts";
import { presentPushMirror } from "./present.ts";
import { requestPull } from "./service/pull.ts";
import { requestAllPushes } from "./service/push.ts";
import { addPushMirror, deletePushMirror, getPushMirror, listPushMirrors, type PushMirrorDeps } from "./service/push-mirrors.ts";

const common = { tag: "repository", scope: "repository" } as const;
const refusals = { 400: "error", 403: "forbidden", 404: "notFound" };

/** Routes for pull and push mirrors. */
export function mirrorRoutes(deps: PushMirrorDeps): Route[] {
  const reader = repository.admin({ asks: "after-right" });
  const writer = repository.admin({ asks: "after-right", archived: "refused" });
  return [
    defineRoute({
      ...common,
      id: "repoMirrorSync",
      method: "POST",
      path: "/repos/{owner}/{repo}/mirror-sync",
      summary: "Queue a synchronization of a mirror with its source",
      access: repository.writer("repo.code", { archived: "refused" }),
      answers: empty(200),
      refusals: { 400: "error", 403: "forbidden", 404: "notFound" },
      handle: ({ repository }) => requestPull(deps, repository),
    }),
    defineRoute({
      ...common,
      id: "repoListPushMirrors",
      method: "GET",
      path: "/repos/{owner}/{repo}/push_mirrors",
      summary: "List the push mirrors of a repository",
      access: reader,
      answers: list(PushMirror, "total"),
      refusals,
      handle: async ({ repository, page }) => {
        const { total, items } = await listPushMirrors(deps, repository, page);
        return { total, items: items.map((mirror) => presentPushMirror(mirror, repository.name)) };
      },
    }),
    defineRoute({
      ...common,
      id: "repoAddPushMirror",
      method: "POST",
      path: "/repos/{owner}/{repo}/push_mirrors",
      summary: "Add a push mirror to a repository",
      access: writer,
      body: CreatePushMirrorOption,
      answers: json(200, PushMirror),
      refusals,
      handle: async ({ actor, repository, body }) => {
        const input = {
          address: body.remote_address,
          username: body.remote_username,
          password: body.remote_password,
          interval: body.interval,
          syncsOnCommit: body.sync_on_commit,
        };
        return presentPushMirror(await addPushMirror(deps, actor, repository, input), repository.name);
      },
    }),
    defineRoute({
      ...common,
      id: "repoPushMirrorSync",
      method: "POST",
      path: "/repos/{owner}/{repo}/push_mirrors-sync",
      summary: "Queue a push to all push mirrors of a repository",
      access: writer,
      answers: empty(200),
      refusals,
      handle: ({ repository }) => requestAllPushes(deps, repository.id),
    }),
    defineRoute({
      ...common,
      id: "repoGetPushMirrorByRemoteName",
      method: "GET",
      path: "/repos/{owner}/{repo}/push_mirrors/{name}",
      summary: "Get a push mirror of a repository",
      access: reader,
      answers: json(200, PushMirror),
      refusals,
      handle: async ({ repository, params }) => presentPushMirror(await getPushMirror(deps, repository, params.name), repository.name),
    }),
    defineRoute({
      ...common,
      id: "repoDeletePushMirror",
      method: "DELETE",
      path: "/repos/{owner}/{repo}/push_mirrors/{name}",
      summary: "Delete a push mirror of a repository",
      access: writer,
      answers: empty(),
      refusals: { 400: "error", 404: "notFound" },
      handle: ({ actor, repository, params }) => deletePushMirror(deps, actor, repository, params.name),
    }),
  ];
}
